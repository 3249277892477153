import { message } from '../../lib/translate'
import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { problemText } from '../problem-texts'
import type { PageProps } from '../site'
import { ButtonLink } from './button'
import { Layout } from './layout'

export interface ErrorPageProps extends PageProps {
  readonly status: number
  /** Safe to show; null shows the usual sentence for the status. */
  readonly message: string | null
  /** Helps the operator to find the failure in the log. */
  readonly requestId: string | null
  /** Sign-in for visitors who may see more afterwards. */
  readonly signInPath: string | null
}

interface Words {
  readonly title: string
  readonly text: string
}

const words: Readonly<Partial<Record<number, Words>>> = {
  403: { title: message('Not for you'), text: message('You may not do or see this.') },
  404: {
    title: message('Nothing here'),
    text: message('The page does not exist, was moved, or is not visible to you.'),
  },
  410: { title: message('Gone'), text: message('This existed once and has been deleted.') },
  422: {
    title: message('That did not work'),
    text: message(
      'Something in the request was not right. If you sent a form, go back, reload the page and try again.',
    ),
  },
  429: {
    title: message('Too fast'),
    text: message('You asked for too much in a short time. Wait a few minutes and try again.'),
  },
  503: { title: message('Back in a moment'), text: message('The server is busy. Try again in a minute.') },
}

const failure: Words = {
  title: message('Something broke'),
  text: message('That was our fault, not yours. Try again in a moment.'),
}

export function ErrorPage(props: ErrorPageProps) {
  const t = useTranslation()
  const { site, viewer, status, message: reason, requestId, signInPath } = props
  const { title, text } = words[status] ?? (status < 500 ? words[422] : failure) ?? failure
  return (
    <Layout site={site} viewer={viewer} title={t(title)} width="narrow" isPrivate>
      <div class="card error-page">
        <p class="error-status">{status}</p>
        <h1>{t(title)}</h1>
        <p>{reason === null ? t(text) : problemText(t, reason)}</p>
        {requestId !== null && (
          <p class="muted">
            {t.rich('Request <id>{requestId}</id>', { id: (words) => <code>{words}</code>, requestId })}
          </p>
        )}
        <div class="actions">
          <ButtonLink look="secondary" href={paths.home}>
            {t('To the front page')}
          </ButtonLink>
          {signInPath !== null && (
            <ButtonLink look="secondary" href={signInPath}>
              {t('Sign in')}
            </ButtonLink>
          )}
        </div>
      </div>
    </Layout>
  )
}
