import * as z from 'zod'
import { execute } from '../../../db/query'
import { emojiOrNotFound, updateEmoji } from '../../../domain/custom-emojis/change'
import { ownEmojiById } from '../../../domain/custom-emojis/find'
import { NotFound } from '../../../errors'
import { presentAdminCustomEmoji } from '../../../view/present/admin-instance'
import { Panel } from '../../components/admin/panel'
import { Button } from '../../components/button'
import { CheckboxField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { hasErrors } from '../../form-errors'
import { checkbox, textField } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import { requireIdInPath } from '../../member-pages/id-in-path'
import { memberPage } from '../../member-pages/member-page'
import { moderatorOf } from '../../moderator'
import { usePage } from '../../page-context'
import { paths } from '../../paths'

const form = z.object({ category: textField(200), visible_in_picker: checkbox })

/** Category of one custom emoji, and whether pickers offer it. */
export const customEmojiPage = memberPage({
  kind: 'admin',
  path: `${paths.customEmojis}/:id`,
  title: 'admin.customEmojis.customEmoji',
  access: 'manageCustomEmojis',
  menu: null,
  form,
  submissions: [
    {
      path: `${paths.customEmojis}/:id/change`,
      run: async ({ c, ctx, session, input }) => {
        const emoji = await emojiOrNotFound(ctx, { id: requireIdInPath(c) })
        await updateEmoji(ctx, moderatorOf(c, session), emoji, {
          category: input.category,
          visibleInPicker: input.visible_in_picker,
        })
        return { notice: 'saved' as const }
      },
    },
  ],
  notices: { saved: 'admin.saved' },
  load: async (ctx, { id }) => {
    const row = id === null ? null : await execute(ctx.db, ownEmojiById(ctx, id))
    if (row === null) throw new NotFound()
    return presentAdminCustomEmoji(ctx.config, row)
  },
  view: (page) => <CustomEmojiView page={page} />,
})

function CustomEmojiView({ page }: { readonly page: PageView<ReturnType<typeof presentAdminCustomEmoji>> }) {
  const t = useTranslation()
  const { errors } = usePage()
  const { found, typed } = page
  const isRefused = hasErrors(errors)
  return (
    <Panel title={t('admin.customEmojis.customEmoji')} current={paths.customEmojis}>
      <section class="block" aria-labelledby="emoji">
        <h2 id="emoji" class="account-line">
          <img src={found.url} alt="" width="64" height="64" />
          <bdi>:{found.shortcode}:</bdi>
        </h2>
        <PostForm action={`${paths.customEmojis}/${found.id}/change`}>
          <TextField
            name="category"
            label={t('field.category')}
            value={isRefused ? typed('category') : (found.category ?? '')}
            autocomplete="off"
            maxlength={100}
            isOptional
          />
          <CheckboxField
            name="visible_in_picker"
            label={t('field.offeredByPickersApps')}
            isChecked={isRefused ? typed('visible_in_picker') === 'true' : found.visible_in_picker}
            isOptional
          />
          <Button>{t('common.save')}</Button>
        </PostForm>
      </section>
      <p>
        <a href={paths.customEmojis}>{t('admin.customEmojis.customEmojis')}</a>
      </p>
    </Panel>
  )
}
