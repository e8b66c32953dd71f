import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { loadTexts, startI18n } from '@/i18n/i18n'
import { useToasts } from '@/ui/toast/toast-store'
import { notifyMarginCall } from './order-notifications'

beforeEach(() => useToasts.setState({ shown: [] }))

test('a margin call is said until it is closed, and the list of them is fetched anew', async () => {
  await startI18n(() => {})
  await loadTexts(['trading'])
  const client = new QueryClient()
  client.setQueryData(['history', 'margin-calls', '7:1'], {})
  client.setQueryData(['products'], [])
  notifyMarginCall(client)
  expect(useToasts.getState().shown).toMatchObject([
    { kind: 'error', text: expect.stringMatching(/^Margin call: .*100%.*50%/) },
  ])
  expect(client.getQueryState(['history', 'margin-calls', '7:1'])?.isInvalidated).toBe(true)
  expect(client.getQueryState(['products'])?.isInvalidated).toBe(false)
})
