import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { storage } from '@/storage/storage'
import { fakeServer, refusal } from '@/testing/fake-server'
import { api, call } from './client'
import { onSessionEnded } from './session-ended'

const ended = vi.fn()
let stop = () => {}

beforeEach(() => {
  ended.mockClear()
  stop = onSessionEnded(ended)
})
afterEach(() => {
  stop()
  storage.remove('token')
})

describe('the end of a session', () => {
  it('is reported when a call with the present token is refused', async () => {
    storage.write('token', 'present')
    fakeServer({ 'user/findUserInfo': () => refusal('token_invalid', { httpStatus: 401 }) })
    await expect(call(api.GET('/client/user/findUserInfo'))).rejects.toThrow('token_invalid')
    expect(ended).toHaveBeenCalledOnce()
  })

  it('is not reported for a call of the token before', async () => {
    storage.write('token', 'former')
    fakeServer({
      'user/findUserInfo': () => {
        storage.write('token', 'present')
        return refusal('token_invalid', { httpStatus: 401 })
      },
    })
    await expect(call(api.GET('/client/user/findUserInfo'))).rejects.toThrow('token_invalid')
    expect(ended).not.toHaveBeenCalled()
  })

  it('is not reported for a call without a token, such as one that runs on while the trader logs out', async () => {
    fakeServer({ 'user/findUserInfo': () => refusal('token_invalid', { httpStatus: 401 }) })
    await expect(call(api.GET('/client/user/findUserInfo'))).rejects.toThrow('token_invalid')
    expect(ended).not.toHaveBeenCalled()
  })
})
