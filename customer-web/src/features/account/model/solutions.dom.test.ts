import { waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CallFailure } from '@/api/client'
import { challenges, manualSolver } from '@/testing/challenges'
import { fakeServer, refusal } from '@/testing/fake-server'
import { Solutions, SolveCancelled } from './solutions'
import type { Solve } from './solve-in-worker'

const refused = (code: string) => new CallFailure(200, { status: 0, code })
const solve: Solve = async ({ challenge }) => `${challenge}.7`
/** A call that the server accepts. */
const taken = vi.fn(async (solution?: string) => solution)

beforeEach(() => {
  vi.useRealTimers()
  taken.mockClear()
})

describe('a solution', () => {
  test('is found ahead once, and is the one that is sent', async () => {
    const asked = fakeServer(challenges())
    const solutions = new Solutions(solve)
    solutions.prepare()
    solutions.prepare()
    expect(await solutions.send(taken)).toBe('c1.7')
    expect(asked).toHaveLength(1)
  })

  test('is used once', async () => {
    fakeServer(challenges())
    const solutions = new Solutions(solve)
    expect(await solutions.send(taken)).toBe('c1.7')
    expect(await solutions.send(taken)).toBe('c2.7')
  })

  test.each([
    [584_000, 'c1.7'],
    [586_000, 'c2.7'],
  ])('of a challenge of 600 s is, %d ms later, %s', async (later, sent) => {
    vi.useFakeTimers()
    fakeServer(challenges(600))
    const solutions = new Solutions(solve)
    solutions.prepare()
    await vi.advanceTimersByTimeAsync(later)
    expect(await solutions.send(taken)).toBe(sent)
  })

  test('that the server no longer takes is replaced once, and no more', async () => {
    fakeServer(challenges())
    const ask = vi.fn(async () => {
      throw refused('verify.wrong')
    })
    await expect(new Solutions(solve).send(ask)).rejects.toMatchObject({ code: 'verify.wrong' })
    expect(ask.mock.calls).toEqual([['c1.7'], ['c2.7']])
  })

  test('is not replaced because of another refusal', async () => {
    fakeServer(challenges())
    const ask = vi.fn(async () => {
      throw refused('code.too_soon')
    })
    await expect(new Solutions(solve).send(ask)).rejects.toMatchObject({ code: 'code.too_soon' })
    expect(ask).toHaveBeenCalledOnce()
  })

  test('that failed ahead is tried again by the call that needs it', async () => {
    const { 'common/getVerify': next } = challenges()
    let down = true
    fakeServer({
      'common/getVerify': () => (down ? refusal('unavailable', { httpStatus: 503 }) : next()),
    })
    const solutions = new Solutions(solve)
    solutions.prepare()
    await expect(solutions.send(taken)).rejects.toMatchObject({ code: 'unavailable' })
    expect(taken).not.toHaveBeenCalled()
    down = false
    expect(await solutions.send(taken)).toBe('c1.7')
  })
})

describe('a call that needs a solution only when asked', () => {
  test('is made without one, and no challenge is fetched', async () => {
    const asked = fakeServer(challenges())
    expect(await new Solutions(solve).sendIfAsked(taken)).toBeUndefined()
    expect(asked).toHaveLength(0)
  })

  test('is made again with one when the server wants it', async () => {
    fakeServer(challenges())
    const ask = vi.fn(async (solution?: string) => {
      if (!solution) throw refused('verify.needed')
      return solution
    })
    expect(await new Solutions(solve).sendIfAsked(ask)).toBe('c1.7')
    expect(ask).toHaveBeenCalledTimes(2)
  })

  test('is not made again because of another refusal', async () => {
    const asked = fakeServer(challenges())
    const ask = vi.fn(async () => {
      throw refused('guest.too_many')
    })
    await expect(new Solutions(solve).sendIfAsked(ask)).rejects.toMatchObject({
      code: 'guest.too_many',
    })
    expect(ask).toHaveBeenCalledOnce()
    expect(asked).toHaveLength(0)
  })
})

describe('stopping', () => {
  test('gives up what is being solved, and the call that waits for it', async () => {
    fakeServer(challenges())
    const { held, solve: hold } = manualSolver()
    const solutions = new Solutions(hold)
    const sent = solutions.send(taken)
    await waitFor(() => expect(held).toHaveLength(1))
    solutions.stop()
    await expect(sent).rejects.toBeInstanceOf(SolveCancelled)
    expect(taken).not.toHaveBeenCalled()
  })

  test('before the challenge has arrived begins no work', async () => {
    fakeServer(challenges())
    const { held, solve: hold } = manualSolver()
    const solutions = new Solutions(hold)
    const sent = solutions.send(taken)
    solutions.stop()
    await expect(sent).rejects.toBeInstanceOf(SolveCancelled)
    expect(held).toHaveLength(0)
  })
})
