// Opens the page of quotes with its 200 products, as a guest sees it.

export const views = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }

/** A page in a browser context of its own; `watch` runs in it before the app, `name` is how the server knows it. */
export async function openQuotes(browser, { url }, { view, name, watch }) {
  const context = await browser.newContext({
    viewport: views[view],
    hasTouch: view === 'phone',
    userAgent: name,
    reducedMotion: 'no-preference',
  })
  await context.addInitScript(() => localStorage.setItem('locale', 'en'))
  await context.addInitScript(watch)
  const page = await context.newPage()
  await page.goto(`${url}/#/quotes?tab=forex`)
  await page.getByRole('link', { name: /^Q/ }).nth(199).waitFor({ state: 'attached' })
  return page
}

/** Scrolls gently, as a finger or a wheel does it, for about so many seconds; down or up. */
export function scroll(session, view, seconds, way) {
  const speed = 150
  return session.send('Input.synthesizeScrollGesture', {
    x: 200,
    y: 500,
    yDistance: way * seconds * speed,
    speed,
    gestureSourceType: view === 'phone' ? 'touch' : 'mouse',
  })
}
