// Accounts of the demonstration. Colours make each avatar and header unlike the others.

const dawn = { high: '#5b7fb4', low: '#f6d7b0', sun: '#fff1c9' }
const noon = { high: '#4f93c8', low: '#d9ecf2', sun: '#fffbe6' }
const dusk = { high: '#3b3a63', low: '#f0a08a', sun: '#ffd9a0' }
const mist = { high: '#9fb2b8', low: '#eceae0', sun: '#fdf8ea' }

export const people = [
  {
    username: 'merle',
    name: 'Merle Okafor',
    bio: 'Rings birds before breakfast. County recorder, thrush partisan, owner of too many notebooks.\n\n#birding #migration',
    fields: [
      ['Patch', 'The reservoir and the rough field behind it'],
      ['Lists', 'One for the garden, one for the county, none for the world'],
    ],
    bird: { back: '#7b8794', breast: '#d9a066', ground: '#a7c4d6', spots: true, seed: 1 },
    header: { ...dawn, ground: '#33543f', seed: 3 },
    follows: ['tomasz', 'ines', 'jun', 'petra', 'saoirse', 'bertil', 'amara'],
  },
  {
    username: 'tomasz',
    name: 'Tomasz bakes',
    bio: 'Sourdough, rye and patience. Weekday postman, weekend oven.',
    fields: [
      ['Starter', 'Zosia, born 2014'],
      ['Flour', 'Stone-ground, when I can get it'],
    ],
    bird: { back: '#8a5a3c', breast: '#f1e4cf', ground: '#e7d7b8', seed: 2 },
    header: { ...mist, ground: '#8a6a45', seed: 8 },
    follows: ['merle', 'ines', 'petra', 'amara'],
  },
  {
    username: 'ines',
    name: 'Inês Carvalho',
    bio: 'Small servers, boring databases. I write about running things at the edge without losing sleep.',
    fields: [
      ['Works on', 'Plumbing for the web'],
      ['Pronouns', 'she/her'],
    ],
    bird: { back: '#2f5d8a', breast: '#f3c14b', ground: '#d6e6ee', seed: 3 },
    header: { ...noon, ground: '#3f6c5f', seed: 12 },
    follows: ['jun', 'merle', 'bertil', 'saoirse', 'tomasz'],
  },
  {
    username: 'jun',
    name: 'Jun 🌱',
    bio: 'Allotment 47. Beans, dahlias and a compost heap with opinions.',
    fields: [['Soil', 'Clay. So much clay.']],
    bird: { back: '#556b2f', breast: '#dfe5a3', ground: '#cfe0bd', seed: 4 },
    header: { ...noon, ground: '#4f8a4b', seed: 21 },
    follows: ['petra', 'merle', 'tomasz', 'ines', 'amara'],
  },
  {
    username: 'petra',
    name: 'Petra Vančurová',
    bio: 'Paints what sits still long enough. Mostly pears.',
    fields: [['Studio', 'Open on the first Sunday of the month']],
    bird: { back: '#6d4b7d', breast: '#e9cfe6', ground: '#f0e3ea', seed: 5 },
    header: { ...dusk, ground: '#4a3b5c', seed: 34 },
    follows: ['jun', 'amara', 'merle', 'saoirse'],
  },
  {
    username: 'saoirse',
    name: 'Saoirse on foot',
    bio: 'Walking every marked path of the county, slowly, with a flask. Day job: maps.',
    fields: [
      ['Paths walked', '212 of 640'],
      ['Boots', 'Third pair'],
    ],
    bird: { back: '#3d4148', breast: '#c7503d', ground: '#dfe7e3', seed: 6 },
    header: { ...mist, ground: '#4c6358', seed: 40 },
    follows: ['merle', 'petra', 'bertil', 'ines'],
  },
  {
    username: 'bertil',
    name: 'Bertil Ek',
    bio: 'Trains, timetables and the long way home. Librarian.',
    fields: [['Reading', 'Whatever was returned today']],
    bird: { back: '#4b6a88', breast: '#f7f2e6', ground: '#b8cfdd', seed: 7 },
    header: { ...dusk, ground: '#2f4858', seed: 55 },
    follows: ['saoirse', 'ines', 'tomasz', 'merle'],
  },
  {
    username: 'amara',
    name: 'Amara Diallo',
    bio: 'Cooks for forty at the community kitchen, writes it down for four.',
    fields: [['Kitchen', 'Tuesdays and Fridays, all welcome']],
    bird: { back: '#b5482f', breast: '#ffd9a8', ground: '#f6e3cd', spots: true, seed: 8 },
    header: { ...dawn, ground: '#7a4a33', seed: 61 },
    follows: ['tomasz', 'jun', 'petra', 'merle', 'bertil'],
  },
]

/** Accounts that the owner follows. */
export const followedByOwner = ['merle', 'ines', 'amara', 'jun']

export const instance = {
  title: 'Fieldfare demo',
  contactUsername: 'owner',
  shortDescription: 'A small flock of birders, bakers, gardeners and people who run their own servers.',
  extendedDescription:
    'This is a **demonstration** of Fieldfare: everybody here is made up.\n\n- Look around without signing in\n- Sign in as the owner, who follows some of them and has decisions to make\n- Post, reply, vote: nobody else gets to see it',
  registrations: 'approval',
  // Eight accounts make no trend of fifteen, and two of them make too many.
  trendMinimumAccounts: 3,
  trendMinimumTagAccounts: 3,
  trendMinimumInteractions: 5,
}

/** Rules of the instance. */
export const rules = [
  { text: 'Be kind', hint: 'Argue with the point, not with the person.' },
  { text: 'Describe your pictures', hint: 'A sentence is enough.' },
  { text: 'No exact places of nests', hint: 'Eggs have enemies.' },
]
