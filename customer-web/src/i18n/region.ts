import { findLanguage, type Language } from './languages'

/**
 * The tag of a language as it is written in the trader's region, for dates: en-GB, pt-PT, ar-EG. The device's
 * languages tell the region. English outside the United States is British unless the device names another one.
 */
export function regionalTag(language: Language, device: readonly string[]): string {
  const regions = device.filter((tag) => regionOf(tag) !== undefined)
  const own = regions.find((tag) => findLanguage(tag)?.code === language.code)
  if (language.code !== 'en') return own ?? language.tag
  const [first] = regions
  if (first === undefined || regionOf(first) === 'US') return language.tag
  return own && regionOf(own) !== 'US' ? own : 'en-GB'
}

function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region
  } catch {
    return undefined
  }
}
