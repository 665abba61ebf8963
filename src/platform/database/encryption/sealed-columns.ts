import type { DataSource, EntitySubscriberInterface, InsertEvent, UpdateEvent } from 'typeorm';
import { Vault, markUnopened, UnopenedSecret } from './vault';

/** A column whose values are sealed where SECRETS_KEY is set. */
export interface SealedColumn {
  readonly table: string;
  /** Its name in the table's entity. */
  readonly property: string;
  readonly column: string;
  readonly kind: 'document' | 'text';
  /** What a value is sealed for, besides its row. */
  readonly place: string;
}

const CONFIG: SealedColumn = {
  table: 'agents',
  property: 'config',
  column: 'config',
  kind: 'document',
  place: 'agents.config',
};

/**
 * Every column that holds secrets: whole configs, since a secret may be anywhere in one, and of webhooks also the address, whose
 * path often is what lets a message in. A secret and the one before it have one place: a release that knows nothing of this copies it in SQL.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  CONFIG,
  { table: 'webhooks', property: 'url', column: 'url', kind: 'text', place: 'webhooks.url' },
  {
    table: 'webhooks',
    property: 'secret',
    column: 'secret',
    kind: 'text',
    place: 'webhooks.secret',
  },
  {
    table: 'webhooks',
    property: 'previousSecret',
    column: 'previous_secret',
    kind: 'text',
    place: 'webhooks.secret',
  },
  { table: 'sessions', property: 'idToken', column: 'id_token', kind: 'text', place: 'sessions.id_token' },
  {
    table: 'sessions',
    property: 'refreshToken',
    column: 'refresh_token',
    kind: 'text',
    place: 'sessions.refresh_token',
  },
];

export function sealedColumnsOf(table: string): readonly SealedColumn[] {
  return SEALED_COLUMNS.filter((column) => column.table === table);
}

/** Where a value is: what is sealed for one place opens at no other. A client may write an id in capitals; its row never does. */
const placeOf = ({ place }: SealedColumn, id: string): string => `${place} of ${id.toLowerCase()}`;

/** Null, and what is not given, stay so. */
export function seal(vault: Vault, column: SealedColumn, id: string, value: unknown): unknown {
  if (column.kind === 'text') return typeof value === 'string' ? vault.sealText(value, placeOf(column, id)) : value;
  return isDocument(value) ? vault.sealDocument(value, placeOf(column, id)) : value;
}

/** @throws UnopenedSecret */
export function open(vault: Vault, column: SealedColumn, id: string, stored: unknown): unknown {
  if (column.kind === 'text') return typeof stored === 'string' ? vault.openText(stored, placeOf(column, id)) : stored;
  return isDocument(stored) ? vault.openDocument(stored, placeOf(column, id)) : stored;
}

/** An agent's config as a statement has read it. @throws UnopenedSecret */
export function openConfig(vault: Vault, agentId: string, stored: Readonly<Record<string, unknown>>) {
  return vault.openDocument(stored, placeOf(CONFIG, agentId));
}

/** What a statement has read of a table's sealed columns, by the properties' names, opened. @throws UnopenedSecret */
export function openedRow(vault: Vault, table: string, id: string, row: object): object {
  return Object.fromEntries(
    sealedColumnsOf(table)
      .filter(({ property }) => Object.hasOwn(row, property))
      .map((column) => [column.property, open(vault, column, id, Reflect.get(row, column.property))]),
  );
}

function isDocument(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Opens whatever the ORM loads, and lets it store no secret: its own `save` would write plain text. Secrets are written by
 * `insertRows` and `updateRow`, which seal them.
 */
class SealedEntities implements EntitySubscriberInterface<object> {
  constructor(
    readonly vault: Vault,
    private readonly dataSource: DataSource,
  ) {}

  /** What does not open is marked, and throws where it is used. */
  afterLoad(entity: object): void {
    for (const column of sealedColumnsOf(this.dataSource.getMetadata(entity.constructor).tableName)) {
      const id: unknown = Reflect.get(entity, 'id');
      if (typeof id !== 'string') throw new Error(`A row of ${column.table} was loaded without its id.`);
      try {
        Reflect.set(entity, column.property, open(this.vault, column, id, Reflect.get(entity, column.property)));
      } catch (error) {
        if (!(error instanceof UnopenedSecret)) throw error;
        markUnopened(entity, column.property, error);
      }
    }
  }

  beforeInsert({ metadata }: InsertEvent<object>): void {
    if (sealedColumnsOf(metadata.tableName).length > 0) throw new Error(WRITTEN_OTHERWISE);
  }

  beforeUpdate({ metadata, entity, updatedColumns }: UpdateEvent<object>): void {
    const changed = new Set([
      ...updatedColumns.map(({ propertyName }) => propertyName),
      // A statement without an entity lists what it sets here.
      ...(updatedColumns.length === 0 ? Object.keys(entity ?? {}) : []),
    ]);
    if (sealedColumnsOf(metadata.tableName).some(({ property }) => changed.has(property))) {
      throw new Error(WRITTEN_OTHERWISE);
    }
  }
}

const WRITTEN_OTHERWISE = 'A row with secrets is written by insertRows and updateRow, which seal them.';

/** From here on the data source opens with this vault what it loads, and refuses to store secrets in plain text. */
export function sealWith(dataSource: DataSource, vault: Vault): void {
  dataSource.subscribers.push(new SealedEntities(vault, dataSource));
}

/** The vault of a data source; of one that was given none, a vault that leaves everything as it is. */
export function vaultOf({ subscribers }: DataSource): Vault {
  return subscribers.find((subscriber) => subscriber instanceof SealedEntities)?.vault ?? Vault.of([]);
}
