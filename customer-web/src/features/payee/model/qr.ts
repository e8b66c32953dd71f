type Detector = { detect: (source: ImageBitmapSource) => Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector

/** The browser's own reader of QR codes; nothing where it has none. */
function detectorClass(): DetectorClass | undefined {
  return (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
}

export function canReadQr(): boolean {
  return detectorClass() !== undefined
}

/** The address in a picture of a QR code; nothing where there is none to read. */
export async function addressInPicture(picture: Blob): Promise<string | undefined> {
  const Class = detectorClass()
  if (!Class) return undefined
  const [code] = await new Class({ formats: ['qr_code'] }).detect(picture)
  return code && addressIn(code.rawValue)
}

/**
 * The address in a QR code's text: alone, or as wallets write it, `ethereum:0x…@1?value=1`. Where a contract is called, `ethereum:0x…/transfer?address=0x…`,
 * what comes first is the contract: the address is the one that is paid.
 */
export function addressIn(text: string): string {
  const [, first = '', call, query = ''] =
    /^(?:[a-z]+:)?([^?@/]*)(?:@[^/?]*)?(\/[^?]*)?(?:\?(.*))?$/i.exec(text.trim()) ?? []
  return call ? (new URLSearchParams(query).get('address') ?? '') : first
}
