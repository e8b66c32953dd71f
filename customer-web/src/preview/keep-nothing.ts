/** Refuses the browser's storage to a page, as a browser does whose user allows none: the app then keeps values until the page is closed. */
export function keepNothing(page: Window): void {
  Object.defineProperty(page, 'localStorage', {
    configurable: true,
    get: () => {
      throw new Error('a preview keeps nothing')
    },
  })
  // Nor does it follow what other tabs store.
  page.addEventListener('storage', (event) => event.stopImmediatePropagation())
}
