import type { Identity, Part, Side } from '../api/identity'

export type Step = 'country' | 'type' | Part | 'review'

/** The sides until the document type is known. */
const DEFAULT_SIDES: readonly Side[] = ['front', 'selfie']

/** Reports whether editing starts a new application, because the existing data belongs to an older one. */
function begins({ state }: Identity): boolean {
  return state !== 'draft' && state !== 'resubmission_required'
}

/** The steps in order: all of them, or those to be submitted again. */
export function stepsOf(identity: Identity): Step[] {
  const { state, documentType, images, mayChangeData } = identity
  if (state === 'resubmission_required') {
    const pictures = images.filter(({ replaceable }) => replaceable).map(({ side }) => side)
    return [...(mayChangeData ? (['data'] as const) : []), ...pictures, 'review']
  }
  const sides = documentType ? images.map(({ side }) => side) : DEFAULT_SIDES
  return ['country', 'type', 'data', ...sides, 'review']
}

/** The name of a step: a passport has a photo page, and no front. */
export function pageName<S extends Step>(
  { documentType }: Pick<Identity, 'documentType'>,
  step: S,
): S | 'photo_page' {
  return step === 'front' && documentType === 'passport' ? 'photo_page' : step
}

/** Reports whether a step is complete. */
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

/** Reports whether a valid picture of the side was uploaded. */
export function hasPicture(identity: Identity, side: Side): boolean {
  return !begins(identity) && identity.images.some((image) => image.side === side && image.present)
}

/** The first incomplete step. */
export function firstIncompleteStep(identity: Identity): Step {
  return stepsOf(identity).find((step) => !isDone(identity, step)) ?? 'review'
}

/** The step in the address, unless an earlier one is incomplete. Steps to be submitted again have no order. */
export function stepAt(identity: Identity, wanted: string | null): Step {
  const steps = stepsOf(identity)
  const open = firstIncompleteStep(identity)
  const step = steps.find((one) => one === wanted)
  if (!step) return open
  if (identity.state === 'resubmission_required' && step !== 'review') return step
  return steps.indexOf(step) <= steps.indexOf(open) ? step : open
}

/** The previous step, if any. */
export function stepBefore(identity: Identity, step: Step): Step | undefined {
  const steps = stepsOf(identity)
  return steps[steps.indexOf(step) - 1]
}
