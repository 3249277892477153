import { optionalServices } from '../../../config'
import { Unreachable } from '../../../errors'
import type { TextKey } from '../../../lib/translate'
import type { Ctx } from '../../../ports/ctx'
import { Button } from '../../components/button'
import { PostForm } from '../../components/form'
import { IslandScript } from '../../components/island-script'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { type DomainRecords, findDomainRecords, isOfCloudflare } from './domain-records'
import { StepFrame } from './frame'
import type { StepProps } from './step-views'

/** A server that is rarely down, for a first request to another one. */
const otherServer = 'mastodon.social'

/** Answers that the server can get by itself. It does not reach its own domain: Cloudflare leads a Worker past Workers there. */
export interface ServerChecks {
  readonly storesFiles: boolean
  readonly reachesOthers: boolean
  /** Null where the domain leads here already, as the request came by it. */
  readonly records: DomainRecords | null
}

/** Asks the store of files, another server, and public DNS about a domain: four calls. */
export async function runChecks(ctx: Ctx, domain: string): Promise<ServerChecks> {
  const isHere = domain === new URL(ctx.config.origin).hostname
  const [storesFiles, reachesOthers, records] = await Promise.all([
    storageAnswers(ctx),
    othersAnswer(ctx),
    isHere ? null : findDomainRecords(ctx, domain),
  ])
  return { storesFiles, reachesOthers, records }
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
        {checks.records !== null && (
          <RecordChecks domain={new URL(origin).hostname} records={checks.records} />
        )}
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

/** The zone and the address of the domain, as far as DNS answered. */
function RecordChecks({ domain, records }: { readonly domain: string; readonly records: DomainRecords }) {
  const t = useTranslation()
  const { hasAddress, zone } = records
  const isRegistered = zone !== 'none'
  return (
    <>
      {zone !== null && (
        <Check
          label={t('setUp.checks.zone', { zone: isRegistered ? zone.name : domain })}
          works={isRegistered && isOfCloudflare(zone.server)}
          advice={
            isRegistered
              ? t('setUp.checks.zoneElsewhere', { server: zone.server })
              : t('setUp.checks.notRegistered')
          }
        />
      )}
      {hasAddress !== null && (
        <Check
          label={t('setUp.checks.record', { domain })}
          works={hasAddress}
          advice={t('setUp.checks.noRecord')}
        />
      )}
    </>
  )
}

interface CheckProps {
  readonly label: string
  readonly works: boolean
  /** Word for what does not work. */
  readonly otherwise?: TextKey
  /** Sentence with what to do where it does not work. */
  readonly advice?: string
}

function Check({ label, works, otherwise = 'admin.server.fails', advice }: CheckProps) {
  const t = useTranslation()
  return (
    <li>
      <p>
        <strong>{label}</strong>{' '}
        <span class={works ? 'tag ok' : 'tag warn'}>{works ? t('admin.server.works') : t(otherwise)}</span>
      </p>
      {!works && advice !== undefined && <p>{advice}</p>}
      <p class="quiet small">{t('setUp.checks.byServer')}</p>
    </li>
  )
}
