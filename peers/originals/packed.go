// Package packed has the group of colors as tinylib/msgp writes it. A tuple is what MessagePack for C# writes: an array without names.
package packed

//msgp:tuple ColorGroup

// ColorGroup is one group.
type ColorGroup struct {
	ID     int32
	Name   string
	Colors []string
}
