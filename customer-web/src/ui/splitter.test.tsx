import { fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renderPart } from '@/testing/render-app'
import { Splitter, type SplitterProps } from './splitter'

const change = vi.fn()
const reset = vi.fn()

async function show(props: Partial<SplitterProps> = {}) {
  await renderPart(
    <Splitter
      label="Width of the list"
      between="column"
      value={260}
      min={220}
      max={420}
      onChange={change}
      onReset={reset}
      {...props}
    />,
  )
  return screen.getByRole('separator', { name: 'Width of the list' })
}

beforeEach(() => {
  // jsdom captures no pointers.
  HTMLElement.prototype.setPointerCapture = () => {}
})
afterEach(() => vi.clearAllMocks())

test('tells its place and its limits', async () => {
  const splitter = await show()
  expect(splitter.ariaValueNow).toBe('260')
  expect([splitter.ariaValueMin, splitter.ariaValueMax]).toEqual(['220', '420'])
  expect(splitter.ariaOrientation).toBe('vertical')
})

test.each([
  ['ArrowRight', 276],
  ['ArrowLeft', 244],
  ['Home', 220],
  ['End', 420],
])('%s resizes to %i', async (key, size) => {
  fireEvent.keyDown(await show(), { key })
  expect(change).toHaveBeenCalledExactlyOnceWith(size)
})

test('keys of the other direction do nothing', async () => {
  fireEvent.keyDown(await show(), { key: 'ArrowUp' })
  expect(change).not.toHaveBeenCalled()
})

test('a panel after the splitter grows the other way', async () => {
  fireEvent.keyDown(await show({ after: true }), { key: 'ArrowLeft' })
  expect(change).toHaveBeenCalledExactlyOnceWith(276)
})

test('the size stays within its limits', async () => {
  const splitter = await show({ value: 415 })
  fireEvent.keyDown(splitter, { key: 'ArrowRight' })
  expect(change).toHaveBeenLastCalledWith(420)
})

test('dragging moves by the distance of the pointer; moving without a press does not', async () => {
  const splitter = await show({ between: 'row', after: true })
  fireEvent.pointerMove(splitter, { clientY: 300 })
  expect(change).not.toHaveBeenCalled()
  fireEvent.pointerDown(splitter, { button: 0, clientY: 500 })
  fireEvent.pointerMove(splitter, { clientY: 480 })
  expect(change).toHaveBeenLastCalledWith(280)
  fireEvent.lostPointerCapture(splitter)
  fireEvent.pointerMove(splitter, { clientY: 400 })
  expect(change).toHaveBeenCalledOnce()
})

test('a double click returns to the usual size', async () => {
  fireEvent.doubleClick(await show())
  expect(reset).toHaveBeenCalledOnce()
})
