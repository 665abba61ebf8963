/** The dependency rules of docs/architecture.md, held by a lint and not by memory. */
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** The floors, from the ground up; floors of the same level do not know each other. */
const FLOORS = [['domain'], ['platform'], ['agents', 'examiners'], ['engine'], ['features']];

/** The list of all tables stands above the floors, since each floor has tables of its own; the database creates and backs them up. */
const CATALOGUES = { platform: ['^src/entities[.]ts$'] };

/** The rooms of the floors have doors, and so have the charts. What stands on a floor without a folder of its own is one room. */
const ROOMS = `^(machines|src/(${FLOORS.flat().join('|')}))/`;
const DOORS = ['^machines/index[.]ts$', '^src/[^/]+/index[.]ts$', '^src/[^/]+/[^/]+/index[.]ts$'];
/** The database below reads all of these by entities.ts: where a row refers to a row of another floor, a door would make a cycle. */
const ENTITY = '[.]entity[.]ts$';

/** What stands on a floor may import what is below, and nothing above or beside. */
const arrows = (name, below) =>
  only(
    `${name}-knows-what-is-below`,
    `src/${name} imports itself and ${below.map((floor) => `src/${floor}`).join(', ') || 'nothing else of src'}.`,
    { path: `^src/${name}/` },
    { path: '^src/', pathNot: [`^src/(${[name, ...below].join('|')})/`, ...(CATALOGUES[name] ?? [])] },
  );
module.exports = {
  forbidden: [
    only(
      'machines-are-pure',
      'Statecharts import xstate, zod, the rules of the domain and each other, nothing else.',
      { path: '^machines/' },
      { pathNot: '^(machines/|src/domain/|node_modules/(xstate|zod)/)' },
    ),
    only(
      'contract-is-pure',
      'The API is said without the service that serves it: zod, the rules of the domain, and other parts of the contract.',
      { path: '^contract/' },
      { pathNot: '^(contract/|src/domain/|node_modules/zod/)' },
    ),
    only(
      'domain-is-pure',
      'The rules that everything rests on: no framework, nothing of the service.',
      { path: '^src/domain/' },
      { pathNot: '^(src/domain/|node_modules/(zod|jstat|canonicalize|re2js|ajv)/)', dependencyTypesNot: ['core'] },
    ),
    only(
      'statistics-are-pure',
      'Statistics are formulas: they import each other and a library of distributions, nothing else.',
      { path: '^src/domain/statistics/' },
      { pathNot: '^(src/domain/statistics/|node_modules/jstat/)' },
    ),
    only(
      'distributions-in-statistics',
      'One place for distributions.',
      { path: '^(machines|src|cli|web)/', pathNot: '^src/domain/statistics/' },
      { path: '^node_modules/jstat/' },
    ),
    only(
      'patterns-in-checks',
      'One place for the patterns and schemas of authors, which take time in proportion to a reply there.',
      { path: '^(contract|machines|src|web|cli)/', pathNot: '^src/domain/checks/' },
      { path: '^node_modules/(re2js|ajv)/' },
    ),
    only(
      'no-cycles',
      'A cycle means two ideas are one, or one idea is two.',
      { path: '^(contract|machines|src|web|cli)/' },
      { circular: true },
    ),
    ...FLOORS.flatMap((floor, level) => floor.map((name) => arrows(name, FLOORS.slice(0, level).flat()))),
    only(
      'across-floors-through-doors',
      'Another floor is entered by the index.ts of a room, which says what the room is for; inside a floor files are imported directly.',
      { path: '^src/([^/]+)', pathNot: ['^src/entities[.]ts$', ENTITY] },
      { path: ROOMS, pathNot: ['^src/$1/', ...DOORS] },
    ),
    only(
      'entities-refer-to-entities',
      'An entity whose row refers to a row of another floor imports the entity there by its file; everything else by doors.',
      { path: `^src/([^/]+)/.*${ENTITY}` },
      { path: ROOMS, pathNot: ['^src/$1/', ...DOORS, ENTITY] },
    ),
    only(
      'doors-are-for-other-floors',
      'Inside a floor a name is imported from the file that defines it: through a door a file would load all of a room, often its own.',
      { path: '^(machines|src/[^/]+)/' },
      { path: ['^$1/index[.]ts$', '^$1/[^/]+/index[.]ts$'] },
    ),
    only(
      'domain-has-a-door-for-all',
      'The contract, the page, the command and the charts too use the rules of the domain by its door: it loads little, and a bundler leaves out what they do not use.',
      { path: '^(contract|machines|cli|demo|web/src)/' },
      { path: '^src/domain/', pathNot: DOORS },
    ),
    only(
      'entities-are-for-the-database',
      'The list of all tables is read where they are created and backed up.',
      { path: '^src/', pathNot: '^src/platform/database/' },
      { path: '^src/entities[.]ts$' },
    ),
    only(
      'start-is-on-top',
      'Who starts the service knows all of it, and nothing of it knows who starts it.',
      { path: '^src/', pathNot: '^src/(main[.]ts$|start/)' },
      { path: '^src/(main[.]ts$|app[.]module[.]ts$|start/)' },
    ),
    only(
      'demo-is-furniture',
      'The demo agent is put into a service from outside, as any agent is.',
      { path: '^src/', pathNot: '^src/(main[.]ts$|entities[.]ts$|start/|demo/)' },
      { path: '^src/demo/' },
    ),
    only(
      'http-is-below-the-endpoints',
      'What every endpoint shares knows none of them, nor what stores anything: src/start puts them together.',
      { path: '^src/platform/http/' },
      { path: '^src/platform/', pathNot: '^src/platform/(http|fields|config|access|concurrency)/' },
    ),
    only(
      'access-is-a-leaf',
      'Who calls and what a role may is asked from everywhere, and asks nobody.',
      { path: '^src/platform/access/' },
      { path: '^src/', pathNot: '^src/platform/access/' },
    ),
    only(
      'config-is-at-the-bottom',
      'Settings are read before anything else exists; the rules for where agents may live and how they are reached, and the roles, are pure, and checked when they are read.',
      { path: '^src/platform/config/' },
      {
        path: '^src/platform/',
        pathNot:
          '^src/platform/(config/|access/caller[.]ts$|targets/(allowed-targets|target-policy)[.]ts$|egress/(egress|forward-proxy|no-proxy)[.]ts$)',
      },
    ),
    only(
      'page-is-served-as-files',
      'What hands out the built page knows files and requests, nothing of the service.',
      { path: '^src/platform/page/' },
      { path: '^src/', pathNot: '^src/platform/page/' },
    ),
    only(
      'database-does-not-know-http',
      'What keeps rows knows nothing of who asks.',
      { path: '^src/platform/database/' },
      { path: '^src/platform/(http|page|idempotency)/' },
    ),
    only(
      'kinds-of-agents-stay-apart',
      'What several kinds of agents need stands in src/agents, its outbound, its secrets or its voice; Pipecat’s agents are met in LiveKit’s rooms.',
      { path: '^src/agents/([^/]+)/' },
      {
        path: '^src/agents/[^/]+/',
        pathNot: ['^src/agents/($1|outbound|secrets|voice)/', '^src/agents/livekit/'],
      },
    ),
    only(
      'livekit-rooms-for-pipecat',
      'Of the other kinds only Pipecat uses LiveKit’s rooms.',
      { path: '^src/agents/[^/]+/', pathNot: '^src/agents/(livekit|pipecat)/' },
      { path: '^src/agents/livekit/' },
    ),
    only(
      'judge-and-tester-stay-apart',
      'Who marks knows nothing of who plays the patient; what they share stands in src/examiners/model, src/examiners/rules and src/domain.',
      { path: '^src/examiners/(judge|model|rules)/' },
      { path: '^src/examiners/tester/' },
    ),
    only(
      'tester-knows-no-judge',
      'Who plays the patient knows nothing of who marks.',
      { path: '^src/examiners/(tester|model|rules)/' },
      { path: '^src/examiners/judge/' },
    ),
    only(
      'typeorm-in-stores',
      'One place for the ORM: connections in src/platform/database, rows in the stores and entities of who owns them.',
      { path: '^src/', pathNot: '^src/platform/database/|[.](store|entity)[.]ts$' },
      { path: '^node_modules/(typeorm|pg)/' },
    ),
    only(
      'canonical-json-in-fingerprint',
      'One place for canonical JSON: hashes are compared with those of other releases.',
      { path: '^(machines|src|cli|migrations)/', pathNot: '^src/domain/fingerprint/' },
      { path: '^node_modules/canonicalize/' },
    ),
    only(
      'undici-in-its-places',
      'One place for the HTTP client.',
      {
        path: '^src/',
        pathNot: '^src/(agents|examiners/model|engine/speech|features/sign-in|platform/(outbound|egress))/',
      },
      { path: '^node_modules/undici/' },
    ),
    only(
      'openid-client-in-sign-in',
      'One place for OpenID Connect.',
      { path: '^src/', pathNot: '^src/features/sign-in/(openid-provider|provider-calls)[.]ts$' },
      { path: '^node_modules/openid-client/' },
    ),
    only(
      'model-sdks-in-model',
      'The SDKs of language models stand where models are asked, and where a server speaks and hears.',
      { path: '^src/', pathNot: '^src/(examiners/model|engine/speech)/' },
      { path: '^node_modules/(@anthropic-ai|openai)/' },
    ),
    only(
      'nats-in-bus',
      'One place for NATS.',
      { path: '^src/', pathNot: '^src/(engine/bus/|platform/config/nats-address[.]ts$)' },
      { path: '^node_modules/@nats-io/' },
    ),
    only(
      'prometheus-in-its-adapter',
      'One place for the Prometheus client: everybody else counts through the port.',
      { path: '^(machines|src|cli)/', pathNot: '^src/platform/telemetry/metrics/prometheus[.]metrics[.]ts$' },
      { path: '^node_modules/prom-client/' },
    ),
    only(
      'opentelemetry-in-tracing',
      'One place for OpenTelemetry, of which a service without traces loads nothing.',
      { path: '^(machines|src|cli)/', pathNot: '^src/platform/telemetry/tracing/' },
      { path: '^node_modules/@opentelemetry/' },
    ),
    only(
      'playwright-in-browser-agents',
      'One place for the browser.',
      { path: '^src/', pathNot: '^src/agents/browser/' },
      { path: '^node_modules/(playwright-core|@sparticuz)/' },
    ),
    only(
      'yaml-in-its-places',
      'YAML is read where settings are and where scenarios are files.',
      { path: '^(machines|src|cli)/', pathNot: '^(cli/settings|src/features/scenarios/files)/' },
      { path: '^node_modules/yaml/' },
    ),
    only(
      'mcp-in-mcp',
      'One place for the Model Context Protocol, loaded by no other command.',
      { path: '^(machines|src|cli)/', pathNot: '^cli/mcp/' },
      { path: '^(node_modules/)?@modelcontextprotocol/' },
    ),
    only(
      'no-grab-bags',
      'A file is named after its idea.',
      { path: '^(machines|src|web|cli)/' },
      {
        path: '(^|/)(utils|util|helper|helpers|common|shared|lib|misc|types)(/|[.]ts$)',
        pathNot: '(node_modules|^(node:)?util/)',
      },
    ),
    only(
      'page-stays-apart',
      'The page knows the service by its API; the pure rules of src/domain, the charts’ words and the reader of scenario files hold on both sides.',
      { path: '^web/src/' },
      {
        pathNot:
          '^(web/src|machines|src/domain|contract)/|^src/features/scenarios/files/read-scenario-file[.]ts$|^node_modules/',
      },
    ),
    only(
      'page-carries-no-contract',
      'The page takes types from the contract, how an address is made, and the forms of agents and runs; its schemas would double the page’s size.',
      { path: '^web/src/' },
      {
        path: '^contract/',
        pathNot: '^contract/(call|agent-kinds|run-annotations)[.]ts$',
        dependencyTypesNot: ['type-only'],
      },
    ),
    only(
      'page-is-built-alone',
      'Nothing of the service is made of the page’s code.',
      { pathNot: '^web/' },
      { path: '^web/' },
    ),
    only(
      'command-talks-over-http',
      'The command knows the service by its API. What it shares are rules without a framework: contract and src/domain (imports, labels ' +
        'and transcripts are checked before they are sent), what a scenario file may hold, how a report is hashed, how a curl line is read, what hides credentials, and the version.',
      { path: '^cli/' },
      {
        pathNot: [
          '^(cli|contract|machines|src/domain)/',
          '^src/features/scenarios/(scenario-file[.]ts$|files/)',
          '^src/agents/secrets/mask-credentials[.]ts$',
          '^src/agents/curl/',
          '^src/platform/config/version[.]ts$',
          '^node_modules/(commander|cli-progress|cli-table3|eventsource-parser|picocolors|yaml|zod|@types/cli-progress)/',
          // One of its entries is found by none but Node.
          '^(node_modules/)?@modelcontextprotocol/',
        ],
        dependencyTypesNot: ['core'],
      },
    ),
    only(
      'command-starts-quickly',
      'Whatever the command imports, and whatever that imports: no framework, no ORM, no vendor SDK.',
      { path: '^cli/' },
      {
        path: '^node_modules/(@nestjs|typeorm|pg|rxjs|@nats-io|@anthropic-ai|openai|@livekit|playwright-core)/',
        reachable: true,
      },
    ),
    only(
      'packed-without-development',
      'What is packed runs where development dependencies are not installed.',
      { path: '^(machines|src|migrations|cli|demo)/' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    ),
    only(
      'service-does-not-import-tests',
      'Tests, benches, demos and the command use the service, never the other way round.',
      { path: '^(machines|src|migrations)/' },
      { path: '^(test|bench|demo|cli)/' },
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage)/' },
    // Subpaths of packages, as TypeScript and the bundler read them.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
