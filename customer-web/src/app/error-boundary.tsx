import { Component, type ReactNode } from 'react'
import { ErrorScreen } from './error-screen'

export type ErrorBoundaryProps = {
  /** Where the trader is: another place is tried afresh. */
  place: unknown
  children: ReactNode
}

type State = { place: unknown; failure: { cause: unknown } | null }

/** Shows the error screen in place of what broke, until the trader goes somewhere else. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { place: this.props.place, failure: null }

  static getDerivedStateFromError(cause: unknown): Partial<State> {
    return { failure: { cause } }
  }

  static getDerivedStateFromProps({ place }: ErrorBoundaryProps, state: State): State | null {
    return place === state.place ? null : { place, failure: null }
  }

  override render() {
    const { failure } = this.state
    return failure ? <ErrorScreen cause={failure.cause} /> : this.props.children
  }
}
