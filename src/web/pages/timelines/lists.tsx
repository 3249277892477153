import { Hono } from 'hono'
import { combineQueries } from '../../../db/query'
import { listsOf, ownList } from '../../../domain/lists/edit'
import { listSelection } from '../../../domain/timelines/home'
import { NotFound } from '../../../errors'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import { loadStatuses, withoutHidden } from '../../../view/load/statuses'
import { presentStatuses } from '../../../view/present/status'
import { Icon } from '../../components/icon'
import { Empty, Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { showMemberView } from '../../member-view'
import { olderPageUrl, parseMaxId } from '../../pagination'
import { paths } from '../../paths'
import { Feed, Older } from '../../posts/feed'
import { type PostView, postView } from '../../posts/post-view'

const pageSize = 20

/** The lists of a member, and the timeline of each. Lists are made and edited in the settings. */
export function listRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.listsOfMember, (c) =>
    showMemberView(c, {
      read: (ctx, as) => listsOf(ctx, as),
      show: (_, found) => <ListsPage lists={found} />,
    }),
  )
  app.get(`${paths.listsOfMember}/:id{[0-9]{1,16}}`, (c) => showList(c, Number(c.req.param('id'))))
  return app
}

function showList(c: AppContext, id: number): Promise<Response> {
  const { config } = c.get('ctx')
  const maxId = parseMaxId(c)
  return showMemberView(c, {
    read: (ctx, as) =>
      combineQueries({
        list: ownList(ctx, as, id),
        bundle: loadStatuses(
          ctx,
          as,
          listSelection(as, { id, now: ctx.clock.now() }, { limit: pageSize, maxId }),
        ),
      }),
    show: (frame, { list, bundle }) => {
      if (list === null) throw new NotFound()
      const statuses = presentStatuses({ config, now: frame.now }, withoutHidden(bundle, 'home'))
      return (
        <ListPage
          name={list.title}
          posts={statuses.map((status) => postView(config, status, frame.session.accountId))}
          olderUrl={olderPageUrl(c, bundle, pageSize)}
        />
      )
    },
  })
}

export interface ListsPageProps {
  readonly lists: readonly { readonly id: number; readonly title: string; readonly exclusive: boolean }[]
}

export function ListsPage(props: ListsPageProps) {
  const { lists } = props
  const t = useTranslation()
  return (
    <Shell title={t('client.lists')} place="lists" isPrivate>
      <ViewHead title={t('client.lists')}>
        <a class="button low" href={paths.lists}>
          {t('client.edit')}
        </a>
      </ViewHead>
      {lists.length === 0 ? (
        <Empty title={t('client.noListsYet')}>
          <p>{t('client.aListShowsPostsByPeople')}</p>
          <a class="button main" href={paths.lists}>
            {t('client.createAList')}
          </a>
        </Empty>
      ) : (
        <ul class="rows">
          {lists.map(({ id, title, exclusive }) => (
            <li>
              <a class="row-link" href={`${paths.listsOfMember}/${id}`}>
                <Icon name="list" />
                <span class="names">
                  <bdi class="one">{title}</bdi>
                  {exclusive && <small>{t('client.itsPostsAreNotShownIn')}</small>}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Shell>
  )
}

export interface ListPageProps {
  readonly name: string
  readonly posts: readonly PostView[]
  readonly olderUrl: string | null
}

export function ListPage(props: ListPageProps) {
  const { name, posts, olderUrl } = props
  const t = useTranslation()
  return (
    <Shell title={name} place="lists" isPrivate>
      <ViewHead title={name} back={paths.listsOfMember} />
      {posts.length === 0 ? (
        <Empty title={t('client.nothingHereYet')}>
          <p>{t('client.postsByPeopleOnThisList')}</p>
        </Empty>
      ) : (
        <Feed label={name} posts={posts} />
      )}
      <Older url={olderUrl} />
    </Shell>
  )
}
