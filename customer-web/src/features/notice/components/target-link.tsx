import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { reportClick } from '../api/reach'
import type { Target } from '../model/target'

export type TargetLinkProps = {
  /** The id of the linked item, which counts the click. */
  id: number
  target: Target
  className?: string | undefined
  children: ReactNode
  onClick?: (() => void) | undefined
}

/** A link in published content: inside the app, or in a new tab. */
export function TargetLink({ id, target, className, children, onClick }: TargetLinkProps) {
  const press = () => {
    reportClick(id)
    onClick?.()
  }
  if ('to' in target)
    return (
      <Link to={target.to} className={className} draggable={false} onClick={press}>
        {children}
      </Link>
    )
  return (
    <a
      href={target.href}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      draggable={false}
      onClick={press}
    >
      {children}
    </a>
  )
}
