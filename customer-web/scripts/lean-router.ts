import type { Plugin } from 'vite'

/**
 * Takes React Router's production files, which its package does not name for browsers, and leaves out the
 * names it gives to its components for developer tools: they would keep components that nobody uses.
 */
export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source !== 'react-router') return null
      const found = await this.resolve(source, importer, { ...options, skipSelf: true })
      return found?.id.replace('/dist/development/', '/dist/production/')
    },
    transform: {
      filter: { id: /\/react-router\/dist\/production\// },
      handler: (code) =>
        code
          .replace(/^\w+\.displayName = "[\w.]+";$/gm, '')
          .replace(/= (React\d*\.(?:forwardRef|memo)\()/g, '= /* @__PURE__ */ $1'),
    },
  }
}
