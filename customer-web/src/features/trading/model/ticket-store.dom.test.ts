import { beforeEach, expect, test } from 'vitest'
import { requestHeaders } from '@/api/request-headers'
import { startSession } from '@/session/session-store'
import { storage } from '@/storage/storage'
import { apple, eurusd } from '@/testing/market-sample'
import { usePairDraft } from './oco'
import { editDraft, usePendingOrderDraft } from './pending-order-store'
import { editTicket, leveragesOf, openTicket, useTicket } from './ticket-store'

const user = { userId: '7', userName: 'al•••', type: 1, authStatus: 3 }

const product = { type: 'forex', multiple: '100,500,30,20,50' } as const

beforeEach(() => useTicket.setState({ productId: 0 }))

test('without a cap the list is the product’s, in its order; without a list it is the usual one', () => {
  expect(leveragesOf(product)).toEqual([100, 500, 30, 20, 50])
  expect(leveragesOf(product, { crypto: 2 })).toEqual([100, 500, 30, 20, 50])
  expect(leveragesOf({ ...product, multiple: '' })).toEqual([100])
})

test('what is above the cap becomes the cap, once, in its place', () => {
  expect(leveragesOf(product, { forex: 30 })).toEqual([30, 20])
  expect(leveragesOf(product, { forex: 40 })).toEqual([40, 30, 20])
  expect(leveragesOf(product, { forex: 2 })).toEqual([2])
  expect(leveragesOf({ ...product, multiple: '' }, { forex: 30 })).toEqual([30])
  expect(leveragesOf(product, { forex: 500 })).toEqual([100, 500, 30, 20, 50])
})

test('a ticket starts with the first leverage that the trader may use', () => {
  openTicket(eurusd, { forex: 30 })
  expect(useTicket.getState().leverage).toBe(30)
  openTicket(apple, { forex: 30 })
  expect(useTicket.getState().leverage).toBe(100)
})

test('caps that arrive later lower the leverage and leave the rest as it was typed', () => {
  openTicket(eurusd)
  editTicket({ lots: '0.7', side: 'sell' })
  openTicket(eurusd, { forex: 30 })
  expect(useTicket.getState()).toMatchObject({ leverage: 30, lots: '0.7', side: 'sell' })
})

test('a leverage that may be used stays as it was chosen', () => {
  openTicket(eurusd, { forex: 80 })
  editTicket({ leverage: 50 })
  openTicket(eurusd, { forex: 80 })
  expect(useTicket.getState().leverage).toBe(50)
})

test('an order that was begun on one account is not kept for another one', () => {
  startSession('token', { ...user, accountId: 11 })
  openTicket(eurusd)
  editTicket({ lots: '0.7', side: 'sell' })
  editDraft({ start: 'eurusd', price: '1.1' })
  usePairDraft.setState({ start: 'eurusd', both: 'stops' })
  storage.write('userInfo', { ...user, authStatus: 1, accountId: 11 })
  window.dispatchEvent(new StorageEvent('storage', { key: 'userInfo' }))
  expect(useTicket.getState()).toMatchObject({ lots: '0.7', side: 'sell' })
  expect(requestHeaders().accountId).toBe('11')

  storage.write('userInfo', { ...user, accountId: 12 })
  expect(requestHeaders().accountId, 'while this tab has not heard of it').toBe('11')
  window.dispatchEvent(new StorageEvent('storage', { key: 'userInfo' }))
  expect(requestHeaders().accountId).toBe('12')
  expect(useTicket.getState()).toMatchObject({ productId: eurusd.productId, lots: '', side: 'buy' })
  expect(usePendingOrderDraft.getState().start).toBe('')
  expect(usePairDraft.getState()).toMatchObject({ start: '', both: null })
})
