import type { Child } from 'hono/jsx'
import type { Asset } from '../../lib/assets'
import type { HeadProps } from './head'
import type { Place } from './navigation'
import { Shell, ViewHead } from './shell'

export interface LayoutProps extends HeadProps {
  /** Heading that differs from the title; null for pages whose content has it. */
  readonly heading?: Child
  /** A line of state below the heading. */
  readonly line?: Child
  /** Path of the page above it. */
  readonly back?: string
  readonly tabs?: Child
  readonly place?: Place
  /** A form with one errand, as sign-in: nothing leads away from it but the logo and the foot. */
  readonly isAlone?: boolean
  /** False leaves the column at the right empty. */
  readonly hasSide?: boolean
  readonly children?: Child
}

/** The style of the client, and of what only the pages outside of its views have. */
export const pageSheets: readonly Asset[] = ['client.css', 'pages.css']

/** A page that is not a view of the client, as sign-in and what visitors read: in the same frame. */
export function Layout(props: LayoutProps) {
  const { title, heading = title, line, back, tabs, place, isAlone = false, hasSide = true, children } = props
  return (
    <Shell
      {...props}
      sheets={pageSheets}
      place={place ?? null}
      {...(isAlone ? { frame: 'alone' } : {})}
      side={hasSide ? undefined : null}
      hasFoot
    >
      {heading !== null && <ViewHead title={heading} line={line} back={back} tabs={tabs} hasMark={isAlone} />}
      <div class="page">{children}</div>
    </Shell>
  )
}

export type VisitorViewProps = Pick<LayoutProps, 'heading' | 'line' | 'place' | 'children'> & HeadProps

/** A page of posts or of a profile as visitors see it, with the pieces of the client. */
export function VisitorView({ heading, line, place, children, ...head }: VisitorViewProps) {
  return (
    <Shell {...head} place={place ?? null} hasFoot>
      <ViewHead title={heading ?? head.title} line={line} />
      {children}
    </Shell>
  )
}
