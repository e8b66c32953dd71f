import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setScreen } from '@/testing/render-app'
import { usePreferences } from '@/theme/preferences'
import { Flash } from './flash'

const animate = vi.fn()

beforeEach(() => {
  setScreen('phone')
  animate.mockClear()
  Element.prototype.animate = animate as unknown as Element['animate']
  vi.useFakeTimers({ now: 10_000, toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
  usePreferences.setState({ reduceMotion: false })
  Reflect.deleteProperty(Element.prototype, 'animate')
})

function setup() {
  const view = render(<Flash price={undefined}>price</Flash>)
  return (price: string) => view.rerender(<Flash price={price}>price</Flash>)
}

const way = () => screen.getByText('price').dataset.way

test('a price lights up in the colour of its direction, the first one does not', () => {
  const show = setup()
  show('1.5')
  expect(animate).not.toHaveBeenCalled()
  show('1.6')
  expect(way()).toBe('up')
  vi.advanceTimersByTime(1_000)
  show('1.4')
  expect(way()).toBe('down')
  expect(animate).toHaveBeenCalledTimes(2)
})

test('at most once a second', () => {
  const show = setup()
  for (const price of ['1', '2', '3', '4']) show(price)
  expect(animate).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1_000)
  show('5')
  expect(animate).toHaveBeenCalledTimes(2)
})

test('never under reduced motion', () => {
  usePreferences.setState({ reduceMotion: true })
  const show = setup()
  show('1')
  show('2')
  expect(animate).not.toHaveBeenCalled()
})

test('the ground is there only while it fades', () => {
  const fading = { onfinish: () => {}, cancel: vi.fn() }
  animate.mockReturnValueOnce(fading)
  const show = setup()
  show('1.5')
  show('1.6')
  expect(way()).toBe('up')
  fading.onfinish()
  expect(way()).toBeUndefined()
  expect(fading.cancel).toHaveBeenCalledOnce()
})
