import type { EntityManager, EntityTarget } from 'typeorm';
import { toStorableJson } from '../storable-text/storable-text';
import { seal, sealedColumnsOf, vaultOf } from './encryption/sealed-columns';

/** Values by the entity's property names; documents as they are to come back. */
type Row = Readonly<Record<string, unknown>>;

/**
 * Stores rows with their documents unchanged and their secrets encrypted; a row with secrets needs its id. The ORM's `save` merges
 * each document into an empty one first and loses what stands below keys that every object inherits, such as `toString`.
 */
export async function insertRows(
  manager: EntityManager,
  entity: EntityTarget<object>,
  rows: readonly object[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const { table, columns, documents } = columnsOf(
    manager,
    entity,
    rows.map(fieldsOf).map((row) => sealed(manager, entity, row['id'], row)),
  );
  await manager.query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
    [documents],
  );
}

/** Changes one row in the same way, and its `updated_at`. */
export async function updateRow(
  manager: EntityManager,
  entity: EntityTarget<object>,
  id: string,
  changes: object,
): Promise<void> {
  const { table, columns, documents } = columnsOf(manager, entity, [sealed(manager, entity, id, fieldsOf(changes))]);
  const set =
    columns === '' ? '' : `(${columns}) = (SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $2)), `;
  await manager.query(
    `UPDATE ${table} SET ${set}updated_at = now() WHERE id = $1`,
    columns === '' ? [id] : [id, documents],
  );
}

function fieldsOf(row: object): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

function sealed(manager: EntityManager, entity: EntityTarget<object>, id: unknown, row: Row): Row {
  const columns = sealedColumnsOf(manager.dataSource.getMetadata(entity).tableName).filter(({ property }) =>
    Object.hasOwn(row, property),
  );
  if (columns.length === 0) return row;
  if (typeof id !== 'string') throw new Error('A row with secrets needs its id: they are sealed for it.');
  const vault = vaultOf(manager.dataSource);
  return {
    ...row,
    ...Object.fromEntries(columns.map((column) => [column.property, seal(vault, column, id, row[column.property])])),
  };
}

/** The table and columns of the first row's fields, quoted, and the rows as one JSON document by column. */
function columnsOf(manager: EntityManager, entity: EntityTarget<object>, rows: readonly Row[]) {
  const { tableName, columns } = manager.dataSource.getMetadata(entity);
  const named = Object.keys(rows[0] ?? {}).map((property) => {
    const column = columns.find(({ propertyName }) => propertyName === property);
    if (column === undefined) throw new Error(`The table ${tableName} has no column for ${property}.`);
    return { property, column: column.databaseName };
  });
  const byColumn = rows.map((row) => Object.fromEntries(named.map(({ property, column }) => [column, row[property]])));
  return {
    table: `"${tableName}"`,
    columns: named.map(({ column }) => `"${column}"`).join(', '),
    documents: toStorableJson(byColumn),
  };
}
