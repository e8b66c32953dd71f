/** Why the camera shows nothing. */
export type CameraProblem = 'denied' | 'missing' | 'busy'

const QUALITY = 0.92

/** Reports whether the browser can use a camera; it offers one to secure pages only. */
export function mayUseCamera(): boolean {
  return typeof navigator.mediaDevices?.getUserMedia === 'function'
}

/** The problem for an error of getUserMedia. */
export function cameraProblem(error: unknown): CameraProblem {
  const name = error instanceof Error || error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return 'busy'
}

/** The video's current frame as a JPEG; null if there is none. */
export async function takeFrame(video: HTMLVideoElement): Promise<File | null> {
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', QUALITY))
  return blob && new File([blob], 'camera.jpg', { type: 'image/jpeg' })
}
