import { act } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderPart } from '@/testing/render-app'
import ScrollRestoration from './scroll-restoration'

/** The window's scroll position, which jsdom does not have. */
let place = 0

const scrollBy = (pixels: number) => {
  place += pixels
  window.dispatchEvent(new Event('scroll'))
}

beforeEach(() => {
  place = 0
  vi.spyOn(window, 'scrollY', 'get').mockImplementation(() => place)
  vi.stubGlobal('scrollTo', (_: number, top: number) => {
    place = top
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function start() {
  const { history } = await renderPart(<ScrollRestoration />, '/deposite')
  return (to: string | number, replace = false) =>
    act(async () => {
      if (typeof to === 'number') history.go(to)
      else if (replace) history.replace(to)
      else history.push(to)
    })
}

test('a screen begins at its top, and the way back leads to where it was left', async () => {
  const go = await start()
  scrollBy(700)
  await go('/deposite?id=50001')
  expect(place).toBe(0)
  scrollBy(120)
  await go('/kefu')
  expect(place).toBe(0)
  await go(-1)
  expect(place).toBe(120)
  await go(-1)
  expect(place).toBe(700)
})

test('an address that is replaced stays where it is, unless it shows another thing', async () => {
  const go = await start()
  scrollBy(300)
  await go('/deposite?tab=history', true)
  await go('/deposite?tab=history&page=2', true)
  expect(place).toBe(300)
  await go('/deposite?id=50001&step=proof', true)
  expect(place).toBe(0)
  scrollBy(200)
  await go('/deposite?id=50001', true)
  expect(place).toBe(0)
})

test('the browser keeps the place of a page that is left for another site', async () => {
  await start()
  expect(history.scrollRestoration).toBe('manual')
  window.dispatchEvent(new Event('pagehide'))
  expect(history.scrollRestoration).toBe('auto')
})
