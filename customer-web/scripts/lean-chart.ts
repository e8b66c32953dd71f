import type { Plugin } from 'vite'
import { indicators } from '../src/features/chart/model/indicators.ts'

/**
 * KLineChart brings 27 indicators and 16 drawings and registers them all. We keep the indicators our
 * charts show; the one drawing we use, the trade line, is our own. A build fails when a new version of
 * the library registers them another way.
 */
export function leanChart(): Plugin {
  return {
    name: 'lean-chart',
    apply: 'build',
    transform: {
      filter: { id: /[\\/]klinecharts[\\/]dist[\\/]index\.esm\.js$/ },
      handler(code) {
        const replaceOnce = (text: string, list: RegExp, kept: readonly string[]) => {
          const parts = text.split(list)
          if (parts.length !== 2) this.error(`klinecharts: ${list} is not there once`)
          return parts.join(`[${kept}]`)
        }
        const kept = indicators.map((name) => {
          const found = new RegExp(`^var (\\w+) = \\{\\s*name: '${name}',`, 'm').exec(code)
          return found?.[1] ?? this.error(`klinecharts: no indicator ${name}`)
        })
        const lean = replaceOnce(
          code,
          /(?<=^var extensions\$2 = )\[\s*averagePrice,[^\]]*\]/m,
          kept,
        )
        return replaceOnce(lean, /(?<=^var extensions = )\[fibonacciLine,[^\]]*\]/m, [])
      },
    },
  }
}
