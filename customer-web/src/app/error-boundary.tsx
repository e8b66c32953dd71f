import { Component, type ReactNode } from 'react'
import { ErrorScreen } from './error-screen'

export type ErrorBoundaryProps = {
  /** The current location; changing it clears the error. */
  place: unknown
  children: ReactNode
}

type State = { place: unknown; failure: { cause: unknown } | null }

/** Shows the error screen instead of its children until the location changes. */
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
