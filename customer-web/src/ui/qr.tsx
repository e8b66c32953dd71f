import { QRCodeSVG } from 'qrcode.react'

export type QrProps = {
  text: string
  label: string
}

/** A QR code, black on white in both themes, because cameras need it. */
export default function Qr({ text, label }: QrProps) {
  return <QRCodeSVG value={text} size={176} marginSize={2} level="L" title={label} role="img" />
}
