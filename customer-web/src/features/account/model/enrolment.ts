import type { Control } from 'react-hook-form'
import { boolean, minLength, refine, string, trim } from 'zod/mini'
import { browserRegion } from './browser-region'

const ticked = boolean().check(refine((on) => on, 'field.accepted'))

/** What every new trader tells and agrees to, for the schema of a form. */
export const enrolmentFields = {
  country: string().check(minLength(1, 'field.choice')),
  invitationCode: string().check(trim()),
  adult: ticked,
  terms: ticked,
}

export function startEnrolment(invitation: string) {
  return {
    country: browserRegion() ?? '',
    invitationCode: invitation,
    adult: false,
    terms: false,
  }
}

/** The part of a form's control that the fields use, whatever else the form has. */
export type EnrolmentControl = Control<ReturnType<typeof startEnrolment>, unknown, unknown>
