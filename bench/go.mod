module github.com/crank-ml/crank/bench

go 1.25.0

require github.com/crank-ml/crank v0.0.0

require gonum.org/v1/gonum v0.17.0 // indirect

replace github.com/crank-ml/crank => ../
