import { beforeEach, expect, test } from 'vitest'
import { storage } from '@/storage/storage'
import { applyPreferences, defaultPreferences, usePreferences } from '@/theme/preferences'
import { chooseChartSettings, useChartSettings } from './chart-store'

beforeEach(() => {
  usePreferences.setState(defaultPreferences)
  useChartSettings.setState({ period: '15m', averages: true })
})

test('a chosen period and averages last for later visits', () => {
  chooseChartSettings({ period: '4h' })
  chooseChartSettings({ averages: false })
  expect(useChartSettings.getState()).toEqual({ period: '4h', averages: false })
  expect(storage.read('preferences')).toMatchObject({ chartPeriod: '4h', chartAverages: false })
  expect(Object.keys(storage.read('preferenceChanges')?.fields ?? {})).toEqual([
    'chartPeriod',
    'chartAverages',
  ])
})

test('the period of a shown trade does not', () => {
  useChartSettings.setState({ period: '1w' })
  expect(usePreferences.getState().chartPeriod).toBe('15m')
  chooseChartSettings({ period: '15m' })
  expect(useChartSettings.getState().period).toBe('15m')
})

test('the chart follows the account, and keeps a shown trade when other preferences change', () => {
  applyPreferences({ chartPeriod: '1h' })
  expect(useChartSettings.getState().period).toBe('1h')
  useChartSettings.setState({ period: '1w' })
  applyPreferences({ compactRows: true })
  expect(useChartSettings.getState().period).toBe('1w')
})
