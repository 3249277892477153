import { Hono } from 'hono'
import { combineQueries } from '../../../db/query'
import type { Viewer } from '../../../domain/core/viewer'
import { listsOf } from '../../../domain/lists/edit'
import { followedTagNames } from '../../../domain/tags/follow'
import { chosenColumns, saveColumns } from '../../../domain/users/preferences'
import type { AppContext, AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { csrfTokenFor, type Form } from '../../csrf'
import { showMemberView } from '../../member-view'
import { showPage } from '../../page'
import { openedVisit } from '../../page-request'
import { paths } from '../../paths'
import { act } from '../timelines/acts'
import { ColumnsPage } from './view'
import { type ColumnSources, mostColumns, mostTags } from './views'

/** Views side by side, each a page of its own in a frame. */
export function columnRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.get(paths.columns, showColumns)
  app.post(paths.columns, (c) => act(c, save))
  return app
}

/** Characters of the name of a view at most, as that of a long hashtag. */
const longestKey = 300

async function save(ctx: Ctx, viewer: Viewer, form: Form): Promise<void> {
  const chosen = Array.from({ length: mostColumns }, (_, index) => form(`column_${index + 1}`))
  const keys = chosen.filter((key) => key !== '' && key.length <= longestKey)
  await saveColumns(ctx, viewer.id, [...new Set(keys)])
}

function showColumns(c: AppContext): Promise<Response> {
  return showMemberView(c, {
    read: (ctx, as) =>
      combineQueries({
        chosen: chosenColumns(ctx, as),
        lists: listsOf(ctx, as),
        tags: followedTagNames(ctx, as, mostTags),
      }),
    show: async (_, { chosen, lists, tags }) => {
      const visit = openedVisit(c)
      const sources: ColumnSources = { lists, tags, places: visit?.site.places ?? [] }
      return showPage(c, <ColumnsPage chosen={chosen} sources={sources} />, {
        csrfToken: visit === null ? null : await csrfTokenFor(c, visit),
        framesOwn: true,
      })
    },
  })
}
