import type { Child } from 'hono/jsx'
import type { PageProps } from '../site'
import { ErrorSummary, type FormErrors, hasErrors } from './form'
import { Layout } from './layout'

export interface FormPageLayoutProps extends PageProps {
  readonly title: string
  /** Heading that differs from the title, as by hyphens that hold words together. */
  readonly heading?: string
  readonly errors: FormErrors<string>
  /** Between the heading and what went wrong. */
  readonly intro?: Child
  /** Below the card: where else to go. */
  readonly after?: Child
  readonly children?: Child
}

/** A page that is one form: a card with a heading, what went wrong, and the form. */
export function FormPage(props: FormPageLayoutProps) {
  const { site, viewer, title, heading = title, errors, intro, after, children } = props
  const layout = { site, viewer, title, hasErrors: hasErrors(errors) }
  return (
    <Layout {...layout} width="narrow" isPrivate>
      <div class="card">
        <h1>{heading}</h1>
        {intro}
        <ErrorSummary errors={errors} />
        {children}
      </div>
      {after}
    </Layout>
  )
}
