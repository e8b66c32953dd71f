import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { renderPart, setScreen } from '@/testing/render-app'
import { usePreferences } from '@/theme/preferences'
import { BannerCarousel } from './banner-carousel'

const banners = [
  { id: 1, title: 'First', body: 'One', target: { to: '/quotes' } },
  { id: 2, title: 'Second', body: 'Two', target: { to: '/search' } },
]

const shown = () => screen.getByRole('heading').textContent
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms))

async function setup(list = banners) {
  await renderPart(<BannerCarousel banners={list} />)
  await screen.findByRole('heading')
}

beforeEach(() => {
  setScreen('phone')
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  vi.useRealTimers()
  usePreferences.setState({ reduceMotion: false })
})

test('the next banner comes after six seconds, and the first again', async () => {
  await setup()
  expect(shown()).toBe('First')
  wait(6_000)
  expect(shown()).toBe('Second')
  wait(6_000)
  expect(shown()).toBe('First')
})

test('can be stopped and started', async () => {
  await setup()
  fireEvent.click(screen.getByRole('button', { name: 'Pause slideshow' }))
  wait(20_000)
  expect(shown()).toBe('First')
  fireEvent.click(screen.getByRole('button', { name: 'Play slideshow' }))
  wait(6_000)
  expect(shown()).toBe('Second')
})

test('waits while it has the focus', async () => {
  await setup()
  act(() => screen.getByRole('link').focus())
  wait(20_000)
  expect(shown()).toBe('First')
})

test('does not move by itself under reduced motion', async () => {
  usePreferences.setState({ reduceMotion: true })
  await setup()
  wait(20_000)
  expect(shown()).toBe('First')
  expect(screen.queryByRole('button', { name: 'Pause slideshow' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Next, showing 1 of 2' }))
  expect(shown()).toBe('Second')
})

describe('a swipe', () => {
  function swipe(from: number, to: number) {
    const link = screen.getByRole('link')
    fireEvent.pointerDown(link, { clientX: from, clientY: 10 })
    fireEvent.pointerUp(link, { clientX: to, clientY: 14 })
    return fireEvent.click(screen.getByRole('link'))
  }

  test('turns the page and does not follow the link', async () => {
    await setup()
    const followed = swipe(200, 100)
    expect(shown()).toBe('Second')
    expect(followed).toBe(false)
    swipe(100, 200)
    expect(shown()).toBe('First')
  })
})

test('a single banner has nothing to turn', async () => {
  await setup(banners.slice(0, 1))
  expect(screen.queryByRole('button')).toBeNull()
})
