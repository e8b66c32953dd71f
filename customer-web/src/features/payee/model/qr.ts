type Detector = { detect: (source: ImageBitmapSource) => Promise<{ rawValue: string }[]> }
type DetectorClass = new (options: { formats: string[] }) => Detector

/** The browser's built-in QR reader, if it has one. */
function detectorClass(): DetectorClass | undefined {
  return (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector
}

export function canReadQr(): boolean {
  return detectorClass() !== undefined
}

/** The address in a picture of a QR code; undefined if there is none. */
export async function addressInPicture(picture: Blob): Promise<string | undefined> {
  const Class = detectorClass()
  if (!Class) return undefined
  const [code] = await new Class({ formats: ['qr_code'] }).detect(picture)
  return code && addressIn(code.rawValue)
}

/**
 * The address in a QR code's text: plain, or as a wallet URI such as `ethereum:0x…@1?value=1`. In a contract call
 * such as `ethereum:0x…/transfer?address=0x…` the first address is the contract, so the address parameter is
 * returned.
 */
export function addressIn(text: string): string {
  const [, first = '', call, query = ''] =
    /^(?:[a-z]+:)?([^?@/]*)(?:@[^/?]*)?(\/[^?]*)?(?:\?(.*))?$/i.exec(text.trim()) ?? []
  return call ? (new URLSearchParams(query).get('address') ?? '') : first
}
