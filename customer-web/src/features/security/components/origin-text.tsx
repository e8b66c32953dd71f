import { Fragment } from 'react'
import { useLanguage } from '@/i18n/use-language'
import { type Place, placeName } from '../model/place-name'

export type OriginTextProps = {
  place: Place
  ip: string | undefined
  device?: string | undefined
}

/** Where something came from: place, address and device, as far as they are known. */
export function OriginText({ place, ip, device }: OriginTextProps) {
  const { tag } = useLanguage()
  const parts = [placeName(place, tag), ip && ltr(ip), device && ltr(device)].filter(Boolean)
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
    <Fragment key={index}>
      {index > 0 && ' · '}
      {part}
    </Fragment>
  ))
}

function ltr(text: string) {
  return <bdi dir="ltr">{text}</bdi>
}
