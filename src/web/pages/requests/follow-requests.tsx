import { Hono } from 'hono'
import { requestersOf } from '../../../domain/relationships/account-lists'
import { acceptFollowRequest, rejectFollowRequest } from '../../../domain/relationships/requests'
import { NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadAccounts } from '../../../view/load/accounts'
import { presentAccounts } from '../../../view/present/account'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { showMemberView } from '../../member-view'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { paths } from '../../paths'
import { MorePeople, PersonLine } from '../../people/people-list'
import { usePosts } from '../../posts/context'
import { type PersonView, personView } from '../../posts/post-view'
import { refuse } from '../people/refusal'
import { act } from '../timelines/acts'

const pageSize = 40

/** Accounts that ask to follow the member, who accepts or refuses each. */
export function followRequestRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.followRequests, showRequests)
  app.post(`${paths.followRequests}/:id{[0-9]{1,16}}`, (c) =>
    act(
      c,
      async (ctx, viewer, form) => {
        const id = requireIdInPath(c)
        if (form('act') === 'accept') await acceptFollowRequest(ctx, viewer, id)
        else if (form('act') === 'refuse') await rejectFollowRequest(ctx, viewer, id)
        else throw new NotFound()
      },
      refuse,
    ),
  )
  return app
}

function showRequests(c: AppContext): Promise<Response> {
  const { config } = c.get('ctx')
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    read: (ctx, as) => loadAccounts(ctx, requestersOf(as, { limit: pageSize, maxId })),
    show: (_, bundle) => (
      <FollowRequestsPage
        people={presentAccounts(config, bundle).map((account) => personView(config, account))}
        olderUrl={olderPageUrl(c, bundle, pageSize)}
      />
    ),
  })
}

export interface FollowRequestsPageProps {
  readonly people: readonly PersonView[]
  readonly olderUrl: string | null
}

export function FollowRequestsPage({ people, olderUrl }: FollowRequestsPageProps) {
  const t = useTranslation()
  return (
    <Shell title={t('client.followRequests')} place="notifications" isPrivate>
      <ViewHead title={t('client.followRequests')} back={paths.notifications} />
      {people.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.peopleWhoAskToFollowYou')}</p>
        </Empty>
      ) : (
        <ul class="rows">
          {people.map((person) => (
            <li class="person">
              <Request person={person} />
            </li>
          ))}
        </ul>
      )}
      <MorePeople newestUrl={null} olderUrl={olderUrl} />
    </Shell>
  )
}

function Request({ person }: { readonly person: PersonView }) {
  const t = useTranslation()
  const { returnTo } = usePosts()
  const { id, name } = person
  return (
    <>
      <PersonLine person={person} />
      <form class="ends" method="post" action={`${paths.followRequests}/${id}`}>
        <CsrfField />
        <input type="hidden" name="return_to" value={returnTo} />
        <button type="submit" class="button low main" name="act" value="accept">
          {t('client.accept')}
          <span class="hidden"> {name}</span>
        </button>
        <button type="submit" class="plain" name="act" value="refuse">
          <Icon name="x" />
          <span class="hidden">{t('client.refuseName', { name })}</span>
        </button>
      </form>
    </>
  )
}
