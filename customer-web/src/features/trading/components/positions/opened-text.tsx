import { TimeText } from '@/ui/time-text'

export type OpenedTextProps = { at: number }

const DAY_MS = 24 * 60 * 60 * 1000

/** The time something was opened: the time of day, with the date after a day. */
export function OpenedText({ at }: OpenedTextProps) {
  return <TimeText at={at} shape={Date.now() - at < DAY_MS ? 'timeSeconds' : 'dateTime'} />
}
