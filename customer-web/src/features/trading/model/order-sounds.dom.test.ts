import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { AccountEvent } from '@/live/live'
import { playOrderSound, soundOf } from './order-sounds'

const event = (change: object) => ({ event: 'fill', ...change }) as AccountEvent

test('a filled order and a stop sound alike, a short margin differently, and the rest not at all', () => {
  expect(soundOf(event({ order: {}, fill: { rule: 'limit' } }))).toBe('fill')
  for (const rule of ['sl', 'tp', 'trailing'])
    expect(soundOf(event({ fill: { rule } }))).toBe('fill')
  expect(soundOf(event({ fill: { rule: 'stop_out' } }))).toBe('margin')
  expect(soundOf(event({ event: 'margin_call' }))).toBe('margin')
  expect(soundOf(event({ fill: { rule: 'market' } }))).toBeNull()
  expect(soundOf(event({ event: 'order', order: {} }))).toBeNull()
  expect(soundOf(event({ event: 'balance' }))).toBeNull()
})

const started: number[] = []
const activation = { hasBeenActive: true }

beforeEach(() => {
  started.length = 0
  activation.hasBeenActive = true
  const param = () => ({
    value: 0,
    setValueAtTime: () => {},
    exponentialRampToValueAtTime: () => {},
  })
  vi.stubGlobal(
    'AudioContext',
    class {
      currentTime = 0
      destination = {}
      resume = () => Promise.resolve()
      createGain = () => ({ gain: param(), connect: () => {} })
      createOscillator = () => {
        const tone = { frequency: param(), connect: (next: object) => next, stop: () => {} }
        return { ...tone, start: () => started.push(tone.frequency.value) }
      }
    },
  )
  Object.defineProperty(navigator, 'userActivation', { value: activation, configurable: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('sounds have different notes', () => {
  playOrderSound('fill')
  const fill = started.splice(0)
  playOrderSound('margin')
  expect(fill).toEqual([660, 880])
  expect(started).toEqual([440, 330, 440])
})

test('silent before the trader has used the page, and in a hidden tab', () => {
  activation.hasBeenActive = false
  playOrderSound('fill')
  expect(started).toEqual([])
  activation.hasBeenActive = true
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  playOrderSound('fill')
  expect(started).toEqual([])
})
