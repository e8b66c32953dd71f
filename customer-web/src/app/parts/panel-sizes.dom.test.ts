import { beforeEach, expect, test, vi } from 'vitest'
import { storage } from '@/storage/storage'

beforeEach(() => vi.resetModules())

test('a size is stored, and reset', async () => {
  const { setPanelSize, usePanelSizes } = await import('./panel-sizes')
  setPanelSize('bottom', 320)
  setPanelSize('list', 300)
  expect(storage.read('panels')).toEqual({ bottom: 320, list: 300 })
  setPanelSize('bottom', null)
  expect(usePanelSizes.getState()).toEqual({ list: 300 })
  expect(storage.read('panels')).toEqual({ list: 300 })
})

test('stored sizes outside of their limits count as none', async () => {
  storage.write('panels', { bottom: 5000, list: 240, ticket: 10 })
  const { usePanelSizes } = await import('./panel-sizes')
  expect(usePanelSizes.getState()).toEqual({ list: 240 })
})
