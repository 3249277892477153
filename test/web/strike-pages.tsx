import type { Strike } from '../../src/contract/entities/report'
import { problem } from '../../src/errors/sentences'
import { escapeHtml } from '../../src/lib/html'
import type { Page } from '../../src/web/page-context'
import { StrikesPage } from '../../src/web/pages/settings/strikes'
import { Shown } from '../support/shown'
import type { NamedPage } from './every-page'

const evidence: Strike['evidence'][number] = {
  id: '5',
  status_id: '1',
  account_id: '2',
  deleted: true,
  url: 'https://fieldfare.test/@ada/1',
  visibility: 'public',
  content: '<p>Buy seeds at <a href="https://seeds.example">seeds.example</a>, the best there are!</p>',
  spoiler_text: 'Offer',
  sensitive: false,
  language: 'en',
  in_reply_to_id: null,
  media_attachments: [{ id: '9', type: 'image', url: null, preview_url: null, description: 'Seeds' }],
  poll_options: ['Sunflower', 'Millet'],
  created_at: '2026-02-27T08:30:00.000Z',
  edited_at: null,
  kept_at: '2026-02-28T08:30:00.000Z',
}

/** The page of strikes in each state. */
export function strikePages(form: Pick<Page, 'viewer'>, text: string): readonly NamedPage[] {
  const strike: Strike = {
    id: '3',
    action: 'silence',
    text,
    status_ids: ['1'],
    rules: [
      {
        id: '1',
        text: 'No advertising',
        hint: 'Tell friends of your shop, not strangers.',
        translations: {},
      },
    ],
    created_at: '2026-03-01T10:00:00.000Z',
    overruled_at: null,
    appeal: null,
    appealable_until: '2026-03-21T10:00:00.000Z',
    appealable: true,
    evidence: [
      evidence,
      { ...evidence, status_id: '4', deleted: false, spoiler_text: '', poll_options: null },
    ],
    collections: [
      {
        id: '6',
        collection_id: '7',
        account_id: '8',
        deleted: true,
        url: 'https://fieldfare.test/collections/7',
        name: 'Birds worth following',
        description: escapeHtml(text),
        sensitive: false,
        tag: null,
        members: ['ada', 'bob@elsewhere.test'],
        created_at: '2026-02-27T08:30:00.000Z',
        kept_at: '2026-02-28T08:30:00.000Z',
      },
    ],
  }
  const appeal = {
    text,
    state: 'pending' as const,
    created_at: '2026-03-02T10:00:00.000Z',
    decided_at: null,
    overruled_at: null,
  }
  const past = { ...strike, appealable: false }
  const page = {
    ...form,
    message: null,
    restriction: null,
    strikes: [
      strike,
      { ...past, id: '5', action: 'suspend' as const, appeal },
      { ...past, id: '6', action: 'none' as const, evidence: [], rules: [] },
      {
        ...past,
        id: '7',
        overruled_at: '2026-03-03T10:00:00.000Z',
        appeal: { ...appeal, state: 'approved' as const },
      },
    ],
    nextPath: '/settings/strikes?max_id=3',
    errors: {},
    strikeToSee: 3,
    typed: { strike: '', text: '' },
  }
  return [
    {
      name: 'strikes',
      page: <Shown of={StrikesPage} {...page} message="settings.strikes.appealModeratorsNow" />,
    },
    { name: 'strikes-none', page: <Shown of={StrikesPage} {...page} strikes={[]} nextPath={null} /> },
    {
      name: 'strikes-suspended',
      page: (
        <Shown
          of={StrikesPage}
          {...page}
          restriction="suspended"
          errors={{ fields: { text: [problem('blank', { field: 'text' })] } }}
          typed={{ strike: '3', text: '' }}
        />
      ),
    },
  ]
}
