import { paths } from '../paths'
import type { PageProps } from '../site'
import { ButtonLink } from './button'
import { Layout } from './layout'

export interface ErrorPageProps extends PageProps {
  readonly status: number
  /** Safe to show; null shows the usual sentence for the status. */
  readonly message: string | null
  /** Helps the operator to find the failure in the log. */
  readonly requestId: string | null
}

interface Words {
  readonly title: string
  readonly text: string
}

const words: Readonly<Partial<Record<number, Words>>> = {
  403: { title: 'Not for you', text: 'You may not do or see this.' },
  404: {
    title: 'Nothing here',
    text: 'The page does not exist, was moved, or is not visible to you.',
  },
  410: { title: 'Gone', text: 'This existed once and has been deleted.' },
  422: {
    title: 'That did not work',
    text: 'Something in the request was not right. If you sent a form, go back, reload the page and try again.',
  },
  429: {
    title: 'Too fast',
    text: 'You asked for too much in a short time. Wait a few minutes and try again.',
  },
  503: { title: 'Back in a moment', text: 'The server is busy. Try again in a minute.' },
}

const failure: Words = {
  title: 'Something broke',
  text: 'That was our fault, not yours. Try again in a moment.',
}

export function ErrorPage({ site, viewer, status, message, requestId }: ErrorPageProps) {
  const { title, text } = words[status] ?? (status < 500 ? words[422] : failure) ?? failure
  return (
    <Layout site={site} viewer={viewer} title={title} width="narrow" isPrivate>
      <div class="card error-page">
        <p class="error-status">{status}</p>
        <h1>{title}</h1>
        <p>{message ?? text}</p>
        {requestId !== null && (
          <p class="muted">
            Request <code>{requestId}</code>
          </p>
        )}
        <div class="actions">
          <ButtonLink look="secondary" href={paths.home}>
            To the front page
          </ButtonLink>
        </div>
      </div>
    </Layout>
  )
}
