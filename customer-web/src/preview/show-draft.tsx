// The trader app in the preview of the back office: the page around this frame sends a draft, and the app shows it where
// traders would see it. It is a visitor's app with the prices of the moment in which it was opened.
import '@/theme/css-layers.css'
import '@/theme/fonts.css'
import '@/theme/tokens.css'
import '@/theme/base.css'
import { createRoot } from 'react-dom/client'
import { createHashRouter } from 'react-router'
import { App } from '@/app/app'
import { createQueryClient } from '@/app/query-client'
import { routeObjects } from '@/app/router'
import { type Product, productsQuery } from '@/features/market/api/products'
import { CONTENT } from '@/features/notice/api/reader'
import { changeLanguage, currentLanguage, startI18n } from '@/i18n/i18n'
import { defaultLanguage, type LanguageCode } from '@/i18n/languages'
import { isAllowed } from '@/i18n/locale-files'
import { useLive } from '@/live/live'
import { quoteStore } from '@/live/quote-store'
import { storage } from '@/storage/storage'
import { loadDirection } from '@/theme/mui-root'
import { applyPreferences } from '@/theme/preferences'
import { previewCalls } from './calls'
import { type Draft, pathOf } from './draft'
import { reveal } from './reveal'

/** What the page around the frame sends. */
type Shown = { draft: Draft; language: LanguageCode; theme: 'light' | 'dark'; opened: boolean }

let shown: Shown | undefined
let app: ReturnType<typeof start> | undefined

/** The language of the app for readers of a language: the default one where the app does not speak theirs. */
const appLanguage = (code: LanguageCode) => (isAllowed(code) ? code : defaultLanguage.code)

/** Renders the app; the result shows another state of the draft. */
async function start(first: Shown) {
  globalThis.fetch = previewCalls(() => (shown ?? first).draft, globalThis.fetch.bind(globalThis))
  storage.write('locale', appLanguage(first.language))
  applyPreferences({ themeMode: first.theme, reduceMotion: true })
  history.replaceState(null, '', `#${pathOf(first.draft, first.opened)}`)
  await startI18n()
  await loadDirection(currentLanguage().dir)
  const client = createQueryClient()
  const router = createHashRouter(routeObjects())
  await client.prefetchQuery(productsQuery)
  showPrices(client.getQueryData(productsQuery.queryKey) ?? [])
  const root = createRoot(document.getElementById('root') as HTMLElement)
  let renders = 0
  return async ({ draft, language, theme, opened }: Shown) => {
    applyPreferences({ themeMode: theme })
    if (appLanguage(language) !== currentLanguage().code) {
      await changeLanguage(appLanguage(language))
      await loadDirection(currentLanguage().dir)
    }
    await router.navigate(pathOf(draft, opened), { replace: true })
    await client.invalidateQueries({ queryKey: [CONTENT] })
    // A pop-up stays as it was opened until it is closed, so the app begins anew with it.
    if (renders === 0 || draft.kind === 'popup') renders += 1
    root.render(<App key={renders} router={router} queryClient={client} />)
    reveal(draft.title)
  }
}

/** Shows the prices that came with the products, as a connection would. */
function showPrices(products: readonly Product[]): void {
  const now = Date.now()
  for (const { productId, sellPrice, buyPrice, spread = '' } of products) {
    if (sellPrice && buyPrice)
      quoteStore.put({
        productId,
        bid: sellPrice,
        ask: buyPrice,
        spread,
        sequence: 0,
        time: now,
        seenAt: now,
      })
  }
  useLive.setState({ socket: 'open', lastMessageAt: now })
}

function isShown(data: unknown): data is Shown {
  return typeof data === 'object' && data !== null && 'draft' in data
}

window.addEventListener('message', async ({ origin, source, data }: MessageEvent<unknown>) => {
  if (origin !== window.location.origin || source !== window.parent || !isShown(data)) return
  shown = data
  app ??= start(data)
  await (await app)(data)
})

// Nothing leads away from what is shown.
window.addEventListener(
  'click',
  (event) => {
    if (!(event.target instanceof Element) || !event.target.closest('a')) return
    event.preventDefault()
    event.stopPropagation()
  },
  { capture: true },
)

window.parent.postMessage('preview', window.location.origin)
