import { Hono } from 'hono'
import type { AppContext, AppEnv } from '../../ports/app-env'
import { ButtonLink } from '../components/button'
import { IslandScript } from '../components/island-script'
import { Layout } from '../components/layout'
import { useTranslation } from '../i18n/context'
import { showPublicPage } from '../page'
import { openPage } from '../page-request'
import { paths } from '../paths'

/** The page that the service worker keeps for the time without a connection: the same for everybody, with nothing of a member. */
export function offlineRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.offline, showOffline)
  return app
}

async function showOffline(c: AppContext) {
  const options = { script: 'offline.js', needs: ['api'] } as const
  return showPublicPage(c, await openPage(c), <OfflinePage />, {}, options)
}

/** Says that there is no connection. Its script lists the drafts that are on the device alone, and sends each after a press. */
export function OfflinePage() {
  const t = useTranslation()
  const words = {
    sent: t('client.postSent'),
    offline: t('client.noConnection'),
    signedOut: t('offline.signInFirst'),
    otherAccount: t('offline.draftOfOther'),
    failed: t('offline.openToSend'),
  }
  return (
    <Layout title={t('offline.noConnection')} isAlone isPrivate>
      <section class="block" aria-label={t('offline.noConnection')}>
        <p>{t('offline.pageNeedsConnection')}</p>
        <ButtonLink href={paths.home}>{t('offline.tryAgain')}</ButtonLink>
      </section>
      <section class="block" data-drafts data-words={JSON.stringify(words)} aria-labelledby="drafts" hidden>
        <h2 id="drafts">{t('offline.onThisDevice')}</h2>
        <p class="quiet">{t('offline.sentAfterPress')}</p>
        <ul class="entries"></ul>
        <template>
          <li class="entry-line">
            <p class="entry-account" dir="auto"></p>
            <div class="actions">
              <button type="button" class="button">
                {t('offline.send')}
              </button>
            </div>
            <p role="status"></p>
          </li>
        </template>
      </section>
      <IslandScript name="offline.js" />
    </Layout>
  )
}
