import type { AdminCustomEmoji } from '../../../contract/entities/admin/instance'
import { emojiMimes } from '../../../lib/media/sniff'
import { isAbout } from '../../error-texts'
import { hasErrors } from '../../form-errors'
import { useTranslation } from '../../i18n/context'
import type { PageView } from '../../member-pages/declaration'
import { usePage } from '../../page-context'
import type { FoundEmojis } from '../../pages/admin/load-custom-emojis'
import { paths } from '../../paths'
import { Button } from '../button'
import { Command } from '../confirm'
import { FileField, SelectField, TextField } from '../field'
import { PostForm } from '../form'
import { Tabs } from '../shell'
import { More, Panel } from './panel'
import { Table } from './table'

type Local = FoundEmojis & { readonly where: 'local' }
type Remote = FoundEmojis & { readonly where: 'remote' }
type Page = PageView<FoundEmojis>
const path = paths.customEmojis

export function CustomEmojisView({ page }: { readonly page: Page }) {
  const t = useTranslation()
  const { found } = page
  return (
    <Panel title={t('admin.customEmojis.customEmojis')} current={path}>
      <Tabs
        label={t('admin.customEmojis.customEmojis')}
        tabs={[
          { href: path, label: t('common.thisServer'), isCurrent: found.where === 'local' },
          {
            href: `${path}?where=remote`,
            label: t('admin.customEmojis.otherServers'),
            isCurrent: found.where === 'remote',
          },
        ]}
      />
      {found.where === 'local' ? <LocalEmojis page={page} found={found} /> : <RemoteEmojis found={found} />}
    </Panel>
  )
}

function LocalEmojis({ page, found }: { readonly page: Page; readonly found: Local }) {
  const t = useTranslation()
  const { errors } = usePage()
  const { typed } = page
  const isArchiveRefused = typed('archive_category') !== '' || isAbout(errors, 'archive')
  const isFiltered = found.q !== '' || found.category !== ''
  return (
    <>
      <div class="side-by-side">
        <details class="block" open={(hasErrors(errors) && !isArchiveRefused) || found.emojis.length === 0}>
          <summary>
            <h2>{t('admin.customEmojis.addAnEmoji')}</h2>
          </summary>
          <PostForm action={path} hasFiles>
            <FileField
              name="image"
              label={t('field.picture')}
              hint={t('admin.customEmojis.picture.hint')}
              accept={emojiMimes.join(',')}
            />
            <TextField
              name="shortcode"
              label={t('field.shortcode')}
              hint={t('admin.customEmojis.shortcode.hint')}
              value={typed('shortcode')}
              autocomplete="off"
              maxlength={128}
            />
            <TextField
              name="category"
              label={t('field.category')}
              value={typed('category')}
              autocomplete="off"
              maxlength={100}
              isOptional
            />
            <Button>{t('admin.customEmojis.addEmoji')}</Button>
          </PostForm>
        </details>
        <details class="block" open={hasErrors(errors) && isArchiveRefused}>
          <summary>
            <h2>{t('admin.customEmojis.importAnArchive')}</h2>
          </summary>
          <PostForm action={`${path}/import`} hasFiles>
            <FileField
              name="archive"
              label={t('admin.customEmojis.zipArchive')}
              hint={t('admin.customEmojis.zipArchive.hint')}
              accept=".zip,application/zip"
            />
            <TextField
              name="archive_category"
              label={t('admin.customEmojis.categoryAll')}
              value={typed('archive_category')}
              autocomplete="off"
              maxlength={100}
              isOptional
            />
            <Button>{t('admin.customEmojis.importEmojis')}</Button>
          </PostForm>
        </details>
      </div>
      <form class="filter" method="get" action={path}>
        <TextField
          name="q"
          label={t('admin.customEmojis.shortcodeBeginsWith')}
          value={found.q}
          autocomplete="off"
          isFilter
        />
        {found.categories.length > 0 && (
          <SelectField
            name="in_category"
            label={t('admin.customEmojis.inTheCategory')}
            value={found.category}
            options={[
              { value: '', text: t('admin.all') },
              ...found.categories.map(({ name, count }) => ({ value: name, text: `${name} (${count})` })),
            ]}
          />
        )}
        <Button look="secondary">{t('admin.filter')}</Button>
      </form>
      {found.emojis.length === 0 ? (
        <p class="quiet small">
          {isFiltered ? t('admin.customEmojis.noEmojiLike') : t('admin.customEmojis.thereNoCustomEmojis')}
        </p>
      ) : (
        <Table
          label={t('admin.customEmojis.customEmojis')}
          columns={[
            t('field.shortcode'),
            t('field.category'),
            t('field.state'),
            t('admin.customEmojis.changes'),
          ]}
        >
          {found.emojis.map((emoji) => (
            <EmojiRow emoji={emoji} />
          ))}
        </Table>
      )}
      <More olderUrl={found.olderUrl} />
      {found.categories.length > 0 && <Categories found={found} />}
    </>
  )
}

function EmojiRow({ emoji }: { readonly emoji: AdminCustomEmoji }) {
  const t = useTranslation()
  const { id, shortcode, url, category, disabled, visible_in_picker: isVisible } = emoji
  return (
    <tr>
      <th scope="row">
        <span class="account-line">
          <img
            src={url}
            alt=""
            width="32"
            height="32"
            loading="lazy"
            class={disabled ? 'emoji-off' : undefined}
          />
          <a href={`${path}/${id}`}>
            <bdi>:{shortcode}:</bdi>
          </a>
        </span>
      </th>
      <td>
        <bdi>{category}</bdi>
      </td>
      <td>
        {disabled && <span class="tag warn">{t('admin.disabled')}</span>}{' '}
        {!isVisible && <span class="tag">{t('admin.customEmojis.notInPickers')}</span>}
      </td>
      <td>
        <div class="actions">
          <Command action={`${path}/${id}/${disabled ? 'enable' : 'disable'}`} about={shortcode}>
            {disabled ? t('admin.enable') : t('admin.disable')}
          </Command>
          <Command action={`${path}/${id}/delete`} about={shortcode} asks>
            {t('admin.delete')}
          </Command>
        </div>
      </td>
    </tr>
  )
}

function Categories({ found }: { readonly found: Local }) {
  const t = useTranslation()
  return (
    <details class="block">
      <summary>
        <h2>{t('admin.customEmojis.categories')}</h2>
      </summary>
      <p class="quiet small">{t('admin.customEmojis.nameAnotherCategoryMerges')}</p>
      <ul class="entries">
        {found.categories.map(({ name, count }, index) => (
          <li>
            <PostForm action={`${path}/categories`} hidden={{ from: name }} class="inline-fields">
              <label for={`category-${index}`}>
                <bdi>{name}</bdi> <span class="quiet small">{t('admin.customEmojis.emojis', { count })}</span>
              </label>
              <input
                id={`category-${index}`}
                name="to"
                type="text"
                value={name}
                maxlength={100}
                autocomplete="off"
              />
              <Button look="secondary">{t('admin.customEmojis.rename')}</Button>
            </PostForm>
          </li>
        ))}
      </ul>
    </details>
  )
}

function RemoteEmojis({ found }: { readonly found: Remote }) {
  const t = useTranslation()
  return (
    <>
      <form class="filter" method="get" action={path}>
        <input type="hidden" name="where" value="remote" />
        <TextField
          name="domain"
          label={t('field.server')}
          value={found.domain}
          autocomplete="off"
          maxlength={300}
        />
        <TextField
          name="q"
          label={t('admin.customEmojis.shortcodeContains')}
          value={found.q}
          autocomplete="off"
          isFilter
        />
        <Button look="secondary">{t('admin.customEmojis.showItsEmojis')}</Button>
      </form>
      {found.problem === 'name' && <p class="error">{t('admin.customEmojis.noDomain')}</p>}
      {found.problem === 'silent' && <p class="error">{t('admin.customEmojis.serverDoesNotAnswer')}</p>}
      {found.domain !== '' && found.problem === null && found.listed.length === 0 && (
        <p class="quiet small">{t('admin.customEmojis.serverPublishesNoSuch')}</p>
      )}
      {found.listed.length > 0 && (
        <ul class="emoji-grid block">
          {found.listed.map(({ shortcode, url, isTaken }) => (
            <li>
              <img src={url} alt="" width="40" height="40" loading="lazy" />
              <div>
                <bdi>:{shortcode}:</bdi>
                {isTaken ? (
                  <span class="quiet small">{t('admin.customEmojis.thereOneName')}</span>
                ) : (
                  <Command
                    action={`${path}/copy`}
                    hidden={{ shortcode, domain: found.domain }}
                    about={shortcode}
                  >
                    {t('admin.customEmojis.copy')}
                  </Command>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {found.isLonger && <p class="quiet small">{t('admin.customEmojis.thereMoreLookShortcode')}</p>}
    </>
  )
}
