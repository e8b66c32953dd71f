import type { Identity, Part, Side } from '../api/identity'

export type Step = 'country' | 'type' | Part | 'review'

/** The pictures while the type of document is not known. */
const DEFAULT_SIDES: readonly Side[] = ['front', 'selfie']

/** Whether filling in begins an application: what is there belongs to one before. */
function begins({ state }: Identity): boolean {
  return state !== 'draft' && state !== 'resubmission_required'
}

/** What has to be gone through, in its order: everything, or what was asked for again. */
export function stepsOf(identity: Identity): Step[] {
  const { state, documentType, images, mayChangeData } = identity
  if (state === 'resubmission_required') {
    const pictures = images.filter(({ replaceable }) => replaceable).map(({ side }) => side)
    return [...(mayChangeData ? (['data'] as const) : []), ...pictures, 'review']
  }
  const sides = documentType ? images.map(({ side }) => side) : DEFAULT_SIDES
  return ['country', 'type', 'data', ...sides, 'review']
}

/** Whether a step needs nothing more. */
export function isDone(identity: Identity, step: Step): boolean {
  if (begins(identity)) return false
  const { country, documentType, fullName, number, birthDate, expiryDate, asked } = identity
  switch (step) {
    case 'country':
      return Boolean(country)
    case 'type':
      return Boolean(documentType)
    case 'data':
      return (
        Boolean(fullName && number && birthDate && expiryDate) &&
        !asked.some(({ part }) => part === 'data')
      )
    case 'review':
      return false
    default:
      return hasPicture(identity, step)
  }
}

/** Whether a picture of the side is there that counts. */
export function hasPicture(identity: Identity, side: Side): boolean {
  return !begins(identity) && identity.images.some((image) => image.side === side && image.present)
}

/** The step to go on with. */
export function firstIncompleteStep(identity: Identity): Step {
  return stepsOf(identity).find((step) => !isDone(identity, step)) ?? 'review'
}

/** The step that an address asks for, unless one before it is still open. What was asked for again has no order. */
export function stepAt(identity: Identity, wanted: string | null): Step {
  const steps = stepsOf(identity)
  const open = firstIncompleteStep(identity)
  const step = steps.find((one) => one === wanted)
  if (!step) return open
  if (identity.state === 'resubmission_required' && step !== 'review') return step
  return steps.indexOf(step) <= steps.indexOf(open) ? step : open
}

/** The step before, if there is one to go back to. */
export function stepBefore(identity: Identity, step: Step): Step | undefined {
  const steps = stepsOf(identity)
  return steps[steps.indexOf(step) - 1]
}
