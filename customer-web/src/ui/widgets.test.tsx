import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { renderPart, setScreen } from '@/testing/render-app'
import { setPreferences } from '@/theme/preferences'
import { Button } from './button'
import { ChangeText } from './change-text'
import { ConfirmDialog } from './confirm-dialog'
import { ErrorBlock } from './error-block'
import { Gauge } from './gauge'
import { gaugePosition, gaugeTone } from './gauge-scale'
import { LazyImage } from './lazy-image'
import { rememberLoaded, wasLoaded } from './lazy-image-cache'
import { PriceText } from './price-text'
import { Sheet } from './sheet/sheet'
import { SkeletonRows } from './skeleton-rows'
import { Stepper } from './stepper'
import { TimeText } from './time-text'
import { ToastHost } from './toast/toast-host'
import { pauseToasts, toast, useToasts } from './toast/toast-store'

beforeEach(() => {
  vi.useRealTimers()
  setScreen('phone')
  useToasts.setState({ shown: [] })
})

describe('toasts', () => {
  test('a success leaves after 2 s, an error stays', () => {
    vi.useFakeTimers()
    toast.success('Bought 0.20 XAUUSD')
    toast.error('Not placed')
    vi.advanceTimersByTime(1999)
    expect(useToasts.getState().shown).toHaveLength(2)
    vi.advanceTimersByTime(1)
    expect(useToasts.getState().shown.map(({ text }) => text)).toEqual(['Not placed'])
    vi.advanceTimersByTime(60_000)
    expect(useToasts.getState().shown).toHaveLength(1)
  })

  test('wait while they are read', () => {
    vi.useFakeTimers()
    toast.success('Saved')
    pauseToasts(true)
    vi.advanceTimersByTime(10_000)
    expect(useToasts.getState().shown).toHaveLength(1)
    pauseToasts(false)
    vi.advanceTimersByTime(2000)
    expect(useToasts.getState().shown).toHaveLength(0)
  })

  test('the same sentence is not shown twice, and no more than three at once', () => {
    for (const text of ['a', 'b', 'b', 'c', 'd']) toast.error(text)
    expect(useToasts.getState().shown.map(({ text }) => text)).toEqual(['b', 'c', 'd'])
  })

  test('are read out, closed, and lead on', async () => {
    const prove = vi.fn()
    pauseToasts(true) // a slow machine must not close one
    await renderPart(<ToastHost />)
    act(() => {
      toast.success('Filled', { action: { label: 'Price proof', onPress: prove } })
      toast.error('Not placed')
      pauseToasts(true) // the success must outlast a busy machine
    })
    expect((await screen.findByRole('status')).textContent).toContain('Filled')
    expect(screen.getByRole('alert').textContent).toContain('Not placed')
    await userEvent.click(screen.getByRole('button', { name: 'Price proof' }))
    expect(prove).toHaveBeenCalledOnce()
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(useToasts.getState().shown).toEqual([])
    pauseToasts(false)
  })
})

describe.each(['phone', 'desktop'] as const)('a sheet on a %s', (kind) => {
  test('is a dialog with a name and a way out', async () => {
    setScreen(kind)
    const close = vi.fn()
    await renderPart(
      <Sheet open title="XAUUSD" onClose={close} footer={<Button>Buy</Button>}>
        Ticket
      </Sheet>,
    )
    expect(await screen.findByRole('dialog', { name: 'XAUUSD' })).toBeTruthy()
    await userEvent.keyboard('{Escape}')
    await userEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(close).toHaveBeenCalledTimes(2)
  })
})

test('a confirmation puts the safe choice first', async () => {
  const confirm = vi.fn()
  await renderPart(
    <ConfirmDialog
      open
      title="Close 2 positions?"
      lines={[{ label: 'Buy 0.20 XAUUSD', value: '+341.40' }]}
      safeLabel="Keep them"
      confirmLabel="Close 2"
      onConfirm={confirm}
      onClose={() => {}}
    />,
  )
  const dialog = await screen.findByRole('dialog')
  const labels = [...dialog.querySelectorAll('footer button')].map(({ textContent }) => textContent)
  expect(labels).toEqual(['Keep them', 'Close 2'])
  await userEvent.click(screen.getByRole('button', { name: 'Close 2' }))
  expect(confirm).toHaveBeenCalledOnce()
})

function Volume() {
  const [value, setValue] = useState('0.20')
  return (
    <Stepper
      label="Volume"
      unit="lots"
      value={value}
      onChange={setValue}
      step="0.01"
      min="0.01"
      max="50"
      decimals={2}
    />
  )
}

describe('Stepper', () => {
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Volume' })

  test('steps, and takes what is typed', async () => {
    await renderPart(<Volume />)
    await userEvent.click(screen.getByRole('button', { name: 'Increase: Volume' }))
    expect(field().value).toBe('0.21')
    await userEvent.click(screen.getByRole('button', { name: 'Decrease: Volume' }))
    await userEvent.click(screen.getByRole('button', { name: 'Decrease: Volume' }))
    expect(field().value).toBe('0.19')
    await userEvent.clear(field())
    await userEvent.type(field(), '01.239x')
    expect(field().value).toBe('1.23')
    await userEvent.keyboard('{ArrowUp}')
    expect(field().value).toBe('1.24')
  })

  test('separates thousands while it is not edited', async () => {
    await renderPart(<Volume />)
    await userEvent.clear(field())
    await userEvent.type(field(), '12345.5')
    expect(field().value).toBe('12345.5')
    fireEvent.blur(field())
    expect(field().value).toBe('12,345.5')
    fireEvent.focus(field())
    expect(field().value).toBe('12345.5')
  })

  test('a number with thousands that was selected on entering stays selected', async () => {
    await renderPart(<Volume />)
    await userEvent.clear(field())
    await userEvent.type(field(), '12345.5')
    await userEvent.tab()
    expect(field().value).toBe('12,345.5')
    // A browser selects before the text is rendered without its separators.
    act(() => {
      field().focus()
      field().select()
    })
    expect([field().selectionStart, field().selectionEnd]).toEqual([0, 7])
    await userEvent.keyboard('9')
    expect(field().value).toBe('9')
  })

  test('press and hold repeats until it is let go', async () => {
    await renderPart(<Volume />)
    vi.useFakeTimers()
    const more = screen.getByRole('button', { name: 'Increase: Volume' })
    fireEvent.pointerDown(more, { button: 0 })
    act(() => vi.advanceTimersByTime(399))
    expect(field().value).toBe('0.21')
    act(() => vi.advanceTimersByTime(1 + 80 * 3))
    expect(field().value).toBe('0.25')
    fireEvent.pointerUp(more)
    act(() => vi.advanceTimersByTime(1000))
    expect(field().value).toBe('0.25')
  })
})

describe('Gauge', () => {
  test('gives every doubling the same space', () => {
    expect(gaugePosition(25)).toBe(0)
    expect(gaugePosition(50)).toBeCloseTo(0.188, 3)
    expect(gaugePosition(100)).toBeCloseTo(0.376, 3)
    expect(gaugePosition(562)).toBeCloseTo(0.844, 3)
    expect(gaugePosition(1000)).toBe(1)
    expect(gaugePosition(99999)).toBe(1)
    expect(gaugePosition(-5)).toBe(0)
    expect(gaugePosition(Number.NaN)).toBe(0)
  })

  test('warns under 150 and alarms under 100', () => {
    expect(gaugeTone(150, 100)).toBe('success')
    expect(gaugeTone(149.99, 100)).toBe('warning')
    expect(gaugeTone(99.99, 100)).toBe('error')
  })

  test('says its value in words', async () => {
    await renderPart(<Gauge level={561.99} />)
    expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBe(
      'Margin level 561.99%. Margin call at 100%, stop-out at 50%.',
    )
  })
})

describe('LazyImage', () => {
  test('tries three more times, then shows a sign', async () => {
    vi.stubGlobal('IntersectionObserver', undefined)
    await renderPart(<LazyImage src="/a.png" alt="Banner" width={80} height={40} />)
    for (let attempt = 0; attempt < 4; attempt++) {
      fireEvent.error(await screen.findByRole('img', { name: 'Banner' }))
    }
    await waitFor(() => expect(screen.getByRole('img', { name: 'Banner' }).tagName).toBe('svg'))
    vi.unstubAllGlobals()
  })

  test('remembers 200 pictures', () => {
    for (let index = 0; index <= 200; index++) rememberLoaded(`/${index}.png`)
    expect(wasLoaded('/0.png')).toBe(false)
    expect(wasLoaded('/1.png')).toBe(true)
    expect(wasLoaded('/200.png')).toBe(true)
  })
})

test('a price has its last two digits apart, and reads left to right', async () => {
  const { container } = await renderPart(<PriceText price="4078.429" point={2} />)
  const bdi = container.querySelector('bdi')
  expect(bdi?.dir).toBe('ltr')
  expect(bdi?.textContent).toBe('4,078.42')
  expect(bdi?.querySelector('span')?.textContent).toBe('42')
})

test('a change has its sign, its arrow and its colour', async () => {
  const { container } = await renderPart(
    <>
      <ChangeText value="0.894" arrow />
      <ChangeText value="-24.25" kind="number" />
      <ChangeText value="0.001" arrow />
    </>,
  )
  const shown = [...container.querySelectorAll('bdi')]
  expect(shown.map(({ textContent }) => textContent)).toEqual(['+0.89%', '−24.25', '0.00%'])
  expect(shown.map(({ classList }) => classList.value)).toEqual(['n up', 'n down', 'n flat'])
  expect(shown.map((bdi) => bdi.querySelector('i') !== null)).toEqual([true, false, false])
})

test('a time shows UTC on hover', async () => {
  setPreferences({ timeZone: 'utc', hourCycle: '24' })
  await renderPart(<TimeText at={Date.UTC(2026, 10, 20, 15, 42, 8)} shape="timeSeconds" />)
  const time = screen.getByText('15:42:08')
  expect(time.title).toBe('2026-11-20 15:42:08 UTC')
})

test.each([
  ['en-GB', '20 Nov 2026, 15:42'],
  ['en-US', 'Nov 20, 2026, 15:42'],
])('a date on a device in %s reads %s', async (device, text) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([device, 'en'])
  setPreferences({ timeZone: 'utc', hourCycle: '24' })
  await renderPart(<TimeText at={Date.UTC(2026, 10, 20, 15, 42, 8)} />)
  expect(screen.getByText(text)).toBeTruthy()
})

test('an error names its reason and its reference, and can be tried again', async () => {
  const retry = vi.fn()
  await renderPart(
    <ErrorBlock reason="We could not load your orders." traceId="7f3a90c1" onRetry={retry} />,
  )
  expect(screen.getByRole('alert').textContent).toContain('We could not load your orders.')
  expect(screen.getByText('7f3a90c1')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(retry).toHaveBeenCalledOnce()
})

test('skeleton rows keep their space at once and are drawn after 150 ms', async () => {
  const { container } = await renderPart(<SkeletonRows rows={3} rowHeight={60} />)
  const block = screen.getByRole('status')
  expect(block.getAttribute('aria-busy')).toBe('true')
  expect(block.children).toHaveLength(3)
  expect(container.querySelector('[aria-hidden]')).toBeNull()
  await waitFor(() => expect(container.querySelector('[aria-hidden]')).toBeTruthy())
})

test('a busy button takes no second press', async () => {
  const press = vi.fn()
  await renderPart(
    <Button busy onClick={press}>
      Buy
    </Button>,
  )
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Buy', busy: true })
  fireEvent.click(button)
  expect(press).not.toHaveBeenCalled()
})
