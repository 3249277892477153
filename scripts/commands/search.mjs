import * as z from 'zod'
import { declareGroup } from '../lib/command-line/declare.mjs'

const Index = z.object({ waiting: z.int(), walked_down_to: z.string().nullable() })

export const group = declareGroup({
  name: 'search',
  summary: 'Index of posts for search',
  commands: [
    {
      name: 'status',
      summary: 'Whether posts wait to be indexed',
      route: 'GET /api/fieldfare/v1/admin/search_index',
      result: Index,
      lines,
    },
    {
      name: 'reindex',
      summary: 'Indexes all posts anew in the background, the newest first, some 200 a minute',
      route: 'POST /api/fieldfare/v1/admin/search_index/rebuild',
      result: Index,
      lines,
    },
  ],
})

function lines({ waiting, walked_down_to: id }) {
  const walk = id === null ? [] : [`All posts are being indexed anew; those with ids below ${id} wait.`]
  const changed = waiting === 0 ? [] : [`${waiting}${waiting === 200 ? ' or more' : ''} changed posts wait.`]
  return walk.length + changed.length === 0 ? ['The index is up to date.'] : [...walk, ...changed]
}
