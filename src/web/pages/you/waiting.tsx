import type { WebSession } from '../../../domain/sessions/web-session'
import { Day } from '../../components/day'
import { Icon } from '../../components/icon'
import { Shell, ViewHead } from '../../components/shell'
import { explorePages } from '../../explore-places'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import { Row } from './menu'

export interface WaitingPageProps {
  readonly session: WebSession
  /** Whether the answer comes by e-mail: a server without a mailer cannot promise it. */
  readonly answersByMail: boolean
}

/** Home of an account that waits for approval: what it waits for, and the pages that are open to it. */
export function WaitingPage(props: WaitingPageProps) {
  const { session, answersByMail } = props
  const t = useTranslation()
  const { site } = usePage()
  const [place] = site.places
  return (
    <Shell title={t('client.home')} place="home" isPrivate>
      <ViewHead title={t('client.home')} />
      <div class="pad">
        <div class="note" role="status">
          <Icon name="shield" />
          <div>
            <p>
              <b>{t('client.theModeratorsLookAtYourSign')}</b>
            </p>
            <p>
              {t.rich('signUp.done.signedUpDay', { day: <Day at={session.createdAt} /> })}{' '}
              {answersByMail ? t('signUp.done.getEmailOnceHas') : t('common.serverSendsNoEmail')}
            </p>
          </div>
        </div>
      </div>
      <ul class="rows menu-rows line-top">
        {place !== undefined && (
          <Row icon="compass" href={explorePages[place].path} label={t('common.explore')} />
        )}
        <Row icon="house" href={paths.about} label={t('client.aboutSite', { site: site.title })} />
        <Row icon="list" href={paths.rules} label={t('client.rules')} />
        <Row icon="settings" href={paths.account} label={t('common.settings')} />
        <Row icon="trash-2" href={paths.deletion} label={t('accountNotice.deleteTheRequest')} />
      </ul>
    </Shell>
  )
}
