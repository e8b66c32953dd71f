import { formatDate, formatDateTime, formatDay, formatTime, type TimeStyle } from '@/format/time'

/**
 * Writes the times of the chart like those of the app. The library's template tells what it wants to name; on the
 * axis the first candle of a day has its date instead of 00:00.
 */
export function chartDate(
  { timestamp, template, type }: { timestamp: number; template: string; type: string },
  style: TimeStyle,
): string {
  if (type !== 'xAxis') {
    return template.includes('HH') ? formatDateTime(timestamp, style) : formatDate(timestamp, style)
  }
  if (!template.includes('HH')) return formatDate(timestamp, style)
  const isMidnight = formatTime(timestamp, { ...style, hourCycle: '24' }) === '00:00'
  if (isMidnight) return formatDay(timestamp, style)
  return template === 'HH:mm'
    ? formatTime(timestamp, style)
    : `${formatDay(timestamp, style)} ${formatTime(timestamp, style)}`
}
