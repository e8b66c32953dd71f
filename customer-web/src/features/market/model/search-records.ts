import { create } from 'zustand'
import { storage } from '@/storage/storage'

const MOST_RECORDS = 10

function readRecords(): string[] {
  return (storage.read('searchRecords') ?? []).slice(0, MOST_RECORDS)
}

/** Recent searches, newest first, stored on this device. */
export const useSearchRecords = create<{ records: readonly string[] }>(() => ({
  records: readRecords(),
}))

export function addSearchRecord(text: string): void {
  const record = text.trim()
  if (record === '') return
  const others = readRecords().filter((one) => one.toLowerCase() !== record.toLowerCase())
  const records = [record, ...others].slice(0, MOST_RECORDS)
  storage.write('searchRecords', records)
  useSearchRecords.setState({ records })
}

export function clearSearchRecords(): void {
  storage.remove('searchRecords')
  useSearchRecords.setState({ records: [] })
}

storage.onChangeElsewhere('searchRecords', () =>
  useSearchRecords.setState({ records: readRecords() }),
)
