import type { Problem } from '../../errors/sentences'
import type { TextKey } from '../../lib/translate'
import { errorText } from '../error-texts'
import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { ButtonLink } from './button'
import { Layout } from './layout'
import { Logo } from './logo'

export interface ErrorPageProps {
  readonly status: number
  /** Null shows the usual sentence for the status. */
  readonly problems: readonly Problem[] | null
  /** Helps the operator to find the failure in the log. */
  readonly requestId: string | null
  /** Sign-in for visitors. */
  readonly signInPath: string | null
}

interface Words {
  readonly title: TextKey
  readonly text: TextKey
}

const words: Readonly<Partial<Record<number, Words>>> = {
  403: { title: 'error.notForYou', text: 'error.mayNotDoSee' },
  404: {
    title: 'error.nothingHere',
    text: 'error.pageDoesNotExist',
  },
  410: { title: 'error.gone', text: 'error.existedOnceHasBeen' },
  422: {
    title: 'error.didNotWork',
    text: 'error.somethingRequestNotRight',
  },
  429: {
    title: 'error.tooManyRequests',
    text: 'error.askedTooMuchShort',
  },
  503: { title: 'error.backMoment', text: 'error.serverBusyTryAgain' },
}

const failure: Words = {
  title: 'error.somethingWrong',
  text: 'error.ourFaultNotYours',
}

export function ErrorPage(props: ErrorPageProps) {
  const t = useTranslation()
  const { status, problems, requestId, signInPath } = props
  const { title, text } = words[status] ?? (status < 500 ? words[422] : failure) ?? failure
  return (
    <Layout title={t(title)} hasSide={false} isPrivate>
      <div class="empty">
        <Logo side={88} />
        <p>{problems === null ? t(text) : problems.map((one) => errorText(t, one)).join(' ')}</p>
        <p class="quiet small">
          {status}
          {requestId !== null && (
            <> · {t.rich('error.requestRequestId', { id: (words) => <code>{words}</code>, requestId })}</>
          )}
        </p>
        <div class="actions">
          <ButtonLink href={paths.front}>{t('error.frontPage')}</ButtonLink>
          {signInPath !== null && (
            <ButtonLink look="secondary" href={signInPath}>
              {t('common.signIn')}
            </ButtonLink>
          )}
        </div>
      </div>
    </Layout>
  )
}
