import * as z from 'zod'
import { declareGroup } from '../lib/command-line/declare.mjs'
import { bytesText } from '../lib/command-line/text.mjs'

const Cleaned = z.object({ files: z.int(), bytes: z.int(), orphans: z.int(), orphan_bytes: z.int() })

export const group = declareGroup({
  name: 'media',
  summary: 'Space that uploads and the database take',
  notes: ['Media of other servers is shown by proxy and never stored: there is no cache to clean.'],
  commands: [
    {
      name: 'usage',
      summary: 'Bytes of the database and of uploads',
      calls: ['POST /api/v1/admin/dimensions'],
      result: z.object({ database_bytes: z.int(), media_bytes: z.int() }),
      run: async ({ instance }) => {
        const [space] = await instance.call('POST', '/api/v1/admin/dimensions', { keys: ['space_usage'] })
        const bytesOf = (key) => Number(space.data.find((entry) => entry.key === key)?.value ?? 0)
        return { database_bytes: bytesOf('d1'), media_bytes: bytesOf('media') }
      },
      lines: ({ database_bytes: database, media_bytes: media }) => [
        `database  ${bytesText(database)}`,
        `uploads   ${bytesText(media)}`,
      ],
    },
    {
      name: 'clean',
      summary: 'Deletes files of uploads, avatars and headers that nothing names any more',
      calls: ['POST /api/fieldfare/v1/admin/media/clean'],
      result: Cleaned,
      destroys: () => 'delete the files in the bucket that nothing names, a week old or more',
      effects: ({ instance, progress }) => clean(instance, { dryRun: true, progress }),
      effectLines: cleanedLines,
      run: ({ instance, progress }) => clean(instance, { dryRun: false, progress }),
      lines: cleanedLines,
    },
  ],
})

/** Goes through the bucket part by part, and sums the parts up. */
async function clean(instance, { dryRun, progress }) {
  const sum = { files: 0, bytes: 0, orphans: 0, orphan_bytes: 0 }
  let after = ''
  do {
    const { next, ...part } = await instance.admin('POST', 'media/clean', { after, dry_run: dryRun })
    for (const name of Object.keys(sum)) sum[name] += part[name]
    after = next ?? ''
    progress?.(sum.files, after === '' ? sum.files : null, 'Files')
  } while (after !== '')
  return sum
}

function cleanedLines({ files, bytes, orphans, orphan_bytes: orphanBytes }) {
  return [
    `${files} files, ${bytesText(bytes)}`,
    `${orphans} of them named by nothing, ${bytesText(orphanBytes)}`,
  ]
}
