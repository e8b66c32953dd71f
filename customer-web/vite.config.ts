import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const webRoot = import.meta.dirname
const repoRoot = resolve(webRoot, '..')
const adminEntry = resolve(repoRoot, 'templates/assets/admin.ts')
const hasAdminEntry = existsSync(adminEntry)

/** The trader app; what only the preview of the back office needs is no part of it. */
const isOurs = /[\\/]customer-web[\\/]src[\\/](?!preview[\\/])/
type BuildContext = { getModuleInfo(id: string): { importedIds: string[] } | null }

/** Everything a screen cannot be shown without. */
function needsOf(screen: string, build: BuildContext): Set<string> {
  const needs = new Set([resolve(webRoot, `src/app/routes/${screen}.tsx`)])
  // A set goes on to what is added while it is walked.
  for (const id of needs) {
    for (const imported of build.getModuleInfo(id)?.importedIds ?? []) needs.add(imported)
  }
  return needs
}

/** Names a file for the modules that all these screens need. */
function groupOf(name: string, ...screens: string[]) {
  let needs: Set<string>[] | null = null
  return (id: string, build: BuildContext) => {
    needs ??= screens.map((screen) => needsOf(screen, build))
    return needs.every((need) => need.has(id)) ? name : null
  }
}

const server = process.env.CANDOR_DEV_SERVER ?? 'http://127.0.0.1:8080'

export default defineConfig({
  root: webRoot,
  plugins: [react(), ...(hasAdminEntry ? [tailwindcss()] : [])],
  resolve: { alias: { '@': resolve(webRoot, 'src') } },
  // The Go server puts a fresh nonce in place of this word in every index.html it sends.
  html: { cspNonce: '__CSP_NONCE__' },
  server: {
    port: 5173,
    fs: { allow: [repoRoot] },
    proxy: {
      '/client': server,
      '/kefu': server,
      '/admin': server,
      '/locales': server,
      '/media': server,
      '/ws': { target: server, ws: true },
    },
  },
  build: {
    outDir: resolve(webRoot, 'dist'),
    // scripts/clean-dist.mjs empties the folder and keeps the placeholder that `go build` needs.
    emptyOutDir: false,
    manifest: true,
    // Files instead of data: addresses, which our content security policy need not allow then.
    assetsInlineLimit: 0,
    target: ['chrome120', 'firefox128', 'safari17'],
    rolldownOptions: {
      input: {
        index: resolve(webRoot, 'index.html'),
        preview: resolve(webRoot, 'src/preview/preview.ts'),
        ...(hasAdminEntry
          ? { admin: adminEntry, chart: resolve(repoRoot, 'templates/assets/chart.ts') }
          : {}),
      },
      output: {
        // The first screen lists every file by name, and hashes do not compress: seven characters tell releases apart.
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            // Fetches the first screen before the libraries are evaluated, so it needs none of them.
            {
              name: 'first-screen',
              test: /vite\/preload-helper|[\\/]src[\\/](app[\\/](first-screen|routes)|session[\\/]login-path)\.ts/,
              priority: 7,
            },
            // What the first screen needs and a release rarely changes: React, the router, i18next.
            // Libraries only lazy pages import (MUI, the price chart) are no part of it.
            {
              name: 'core',
              test: /[\\/]node_modules[\\/](?!htmx|idiomorph|chart\.js|@kurkle|@simplewebauthn)/,
              tags: ['$initial'],
              priority: 6,
            },
            // Screens use parts of it that the first one doesn't; it is small, and belongs to none of them.
            { name: 'query', test: /[\\/]node_modules[\\/]@tanstack/, priority: 6 },
            // Our own code: behind every screen, what the home screen adds to it, what both trade screens
            // add, and the desktop's. Few files that compress well instead of many small ones.
            { name: 'app', test: isOurs, tags: ['$initial'], priority: 5 },
            { name: groupOf('home', 'home-index'), test: isOurs, priority: 4 },
            // What checks forms, for the first screen that has one; the part of zod that reads stored values is core's.
            {
              name: 'forms',
              test: /[\\/]node_modules[\\/](react-hook-form|@hookform|zod)|[\\/]ui[\\/]form[\\/](form-field|show-refusal|use-schema-form)/,
              priority: 4,
            },
            // What several screens take from the lower layers, but for what no trade screen shows.
            {
              name: 'ground',
              test: /[\\/]customer-web[\\/]src[\\/](api|format|live|session|storage|theme|ui)[\\/](?!disclosure|step-bars)/,
              minShareCount: 3,
              priority: 4,
            },
            { name: groupOf('trading', 'trade', 'pc-trade'), test: isOurs, priority: 3 },
            { name: groupOf('terminal', 'pc-trade'), test: isOurs, priority: 2 },
            // The full-screen chart fetches a part of the phone's screen when it is asked for.
            {
              name: 'phone',
              test: /[\\/](routes[\\/]trade|parts[\\/]trade-deals)\.(tsx|module\.css)$/,
              priority: 2,
            },
            // MUI's ground, shared by every screen that uses MUI; its components go where they are used.
            {
              name: 'mui',
              test: /[\\/]node_modules[\\/](@emotion|stylis|cssjanus|@mui[\\/](?!material|x-)|@mui[\\/]material[\\/](styles|utils|internal|zero-styled|transitions|ButtonBase|Paper|Modal|Portal|Fade|Backdrop|Unstable_TrapFocus))/,
              priority: 1,
            },
          ],
        },
      },
    },
  },
  test: {
    root: webRoot,
    restoreMocks: true,
    css: false,
    pool: 'threads',
    maxWorkers: '100%', // without it one core of two stands still
    testTimeout: 90_000, // a busy machine decides no test
    // A document for each file costs more than most tests of models: only what needs one gets it.
    projects: [
      {
        extends: true,
        test: {
          name: 'document',
          environment: 'jsdom',
          pool: 'vmThreads',
          setupFiles: [resolve(webRoot, 'src/testing/setup.ts')],
          include: ['src/**/*.test.tsx', 'src/**/*.dom.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'model',
          environment: 'node',
          include: ['src/**/*.test.ts'],
          exclude: ['src/**/*.dom.test.ts'],
        },
      },
    ],
  },
})
