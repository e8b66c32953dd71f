// Weighs what a page loads: the bytes over the wire, as the browser counts them.

const QUIET_MS = 2_000

/** Opens an address in a new browser profile and returns, by kind, the kB (1,000 bytes) that arrived until the page was idle, and the largest files. */
export async function weigh(browser, url, options) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  const requests = new Map()
  session.on('Network.responseReceived', ({ requestId, type, response }) =>
    requests.set(requestId, {
      type,
      url: response.url,
      encoding: Object.entries(response.headers).find(
        ([name]) => name.toLowerCase() === 'content-encoding',
      )?.[1],
    }),
  )
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = requests.get(requestId)
    if (one) one.bytes = encodedDataLength
  })
  await page.goto(url)
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(QUIET_MS)
  await page.waitForLoadState('networkidle')
  await context.close()
  const files = [...requests.values()].filter(({ bytes }) => bytes > 0)
  const code = files.filter(({ type }) => type === 'Script' || type === 'Stylesheet')
  return { files, kB: code.reduce((sum, { bytes }) => sum + bytes, 0) / 1000 }
}

/** One line per file, the largest first. */
export function listing(files) {
  return files
    .toSorted((a, b) => b.bytes - a.bytes)
    .map(
      ({ url, bytes, encoding }) =>
        `${(bytes / 1000).toFixed(1).padStart(8)} kB ${encoding ?? 'identity'}  ${url}`,
    )
    .join('\n')
}
