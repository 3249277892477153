import { optionalServices } from '../../../config'
import { Unreachable } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { IslandScript } from '../../components/island-script'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { StepFrame } from './frame'
import type { StepProps } from './step-views'

/** A server that is rarely down, for a first request to another one. */
const otherServer = 'mastodon.social'

/** Answers that the server can get by itself. It does not reach its own domain: Cloudflare leads a Worker past Workers there. */
export interface ServerChecks {
  readonly storesFiles: boolean
  readonly reachesOthers: boolean
}

/** Asks the store of files, and another server: one call each. */
export async function runChecks(ctx: Ctx): Promise<ServerChecks> {
  const [storesFiles, reachesOthers] = await Promise.all([storageAnswers(ctx), othersAnswer(ctx)])
  return { storesFiles, reachesOthers }
}

async function storageAnswers({ files, log }: Ctx): Promise<boolean> {
  try {
    await files.head('set-up/no-such-file')
    return true
  } catch (cause) {
    log.error('The store of files did not answer in set-up', { cause })
    return false
  }
}

async function othersAnswer({ http, log }: Ctx): Promise<boolean> {
  try {
    const url = `https://${otherServer}/.well-known/nodeinfo`
    const answer = await http.send({ method: 'GET', url, headers: { accept: 'application/json' } })
    await answer.body?.cancel()
    return answer.status === 200
  } catch (failure) {
    if (!(failure instanceof Unreachable)) throw failure
    log.info('Another server was not reached in set-up', { host: otherServer, reason: failure.message })
    return false
  }
}

const services = { images: 'Images', email: 'Email sending', queues: 'Queues' } as const

export interface ChecksStepProps extends StepProps {
  readonly checks: ServerChecks
  readonly missing: readonly (typeof optionalServices)[number][]
}

/** The list that turns green, with the one that asked: the server, or the browser by the script of the page. */
export function ChecksStep({ state, checks, missing }: ChecksStepProps) {
  const t = useTranslation()
  const origin = state.chosen.ORIGIN ?? ''
  const answer = `${origin}${paths.setUp}/reached`
  return (
    <StepFrame step="checks" state={state}>
      <p>{t('setUp.checks.text')}</p>
      <ul class="entries">
        <li data-reached={answer} data-server={state.serverId} data-works={t('admin.server.works')}>
          <p>
            <strong>{t('setUp.checks.reached', { domain: new URL(origin).host })}</strong>{' '}
            <span class="tag warn" role="status">
              {t('admin.server.notTried')}
            </span>
          </p>
          <p class="quiet small">{t('setUp.checks.byBrowser')}</p>
          <noscript>
            <p class="quiet small">
              {t.rich('setUp.checks.byHand', {
                link: (words) => <a href={answer}>{words}</a>,
                id: state.serverId,
              })}
            </p>
          </noscript>
        </li>
        <Check label={t('setUp.checks.files')} works={checks.storesFiles} />
        <Check label={t('setUp.checks.outgoing', { host: otherServer })} works={checks.reachesOthers} />
        {optionalServices.map((service) => (
          <Check
            label={t('setUp.checks.service', { service: services[service] })}
            works={!missing.includes(service)}
            otherwise="setUp.checks.missing"
          />
        ))}
      </ul>
      <PostForm action={`${paths.setUp}/checks`}>
        <Button>{t('common.continue')}</Button>
      </PostForm>
      <IslandScript name="set-up.js" />
    </StepFrame>
  )
}

interface CheckProps {
  readonly label: string
  readonly works: boolean
  /** Word for what does not work. */
  readonly otherwise?: TextKey
}

function Check({ label, works, otherwise = 'admin.server.fails' }: CheckProps) {
  const t = useTranslation()
  return (
    <li>
      <p>
        <strong>{label}</strong>{' '}
        <span class={works ? 'tag ok' : 'tag warn'}>{works ? t('admin.server.works') : t(otherwise)}</span>
      </p>
      <p class="quiet small">{t('setUp.checks.byServer')}</p>
    </li>
  )
}
